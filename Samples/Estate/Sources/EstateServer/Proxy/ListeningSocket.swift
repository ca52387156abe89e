import FlyingSocks
import Foundation
import HTTPServing

/// A socket that listens on 127.0.0.1 and is handed to another process to accept its connections.
struct ListeningSocket {
  /// The port, also if any free one was asked for.
  let port: UInt16
  private let socket: Socket

  /// Listens on a port; 0 takes any free one.
  init(port: UInt16) throws(ServingError) {
    let socket: Socket
    do {
      socket = try Socket(domain: AF_INET)
    } catch {
      throw ServingError(error, port: port)
    }
    do {
      // A port whose last connections linger in TIME_WAIT is not taken.
      try socket.setValue(true, for: .localAddressReuse)
      try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
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
