import FlyingSocks
import Foundation
import HTTPServing

/// A socket that listens on a loopback address and is handed to another process to accept its connections.
struct ListeningSocket {
  /// The port, also if any free one was asked for.
  let port: UInt16
  private let socket: Socket

  /// Listens on a port of an address; 0 takes any free one.
  init(address: String, port: UInt16) throws(ServingError) {
    let socket: Socket
    do {
      socket = try Socket(domain: AF_INET)
    } catch {
      throw ServingError(error, port: port)
    }
    do {
      // A port whose last connections linger in TIME_WAIT is not taken.
      try socket.setValue(true, for: .localAddressReuse)
      try socket.bind(to: .inet(ip4: address, port: port))
      try socket.listen()
      // nginx waits for readiness and expects the socket not to block.
      try socket.setFlags(.nonBlocking)
      guard case .ip4(_, let port) = try socket.sockname() else { throw SocketError.unsupportedAddress }
      self.port = port
      self.socket = socket
    } catch {
      try? socket.close()
      throw ServingError(error, port: port)
    }
  }

  var handle: FileHandle { FileHandle(fileDescriptor: socket.file.rawValue, closeOnDealloc: false) }

  /// Closes this process's copy of the socket.
  func close() { try? socket.close() }
}
