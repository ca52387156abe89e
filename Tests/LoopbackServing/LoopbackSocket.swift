import Foundation

/// A failure to set up or use a loopback server.
public struct LoopbackError: Error, CustomStringConvertible {
  /// The failed operation and the system's error.
  public let description: String

  init(_ what: String) { description = "\(what): \(String(cString: strerror(errno)))" }

  init(sentence: String) { description = sentence }
}

/// POSIX calls on IPv4 sockets of the loopback network.
enum LoopbackSocket {
  /// Creates a socket bound to an address and a port; port 0 lets the system choose.
  static func bound(to address: String, port: Int) throws(LoopbackError) -> (descriptor: CInt, port: Int) {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw LoopbackError("socket") }
    var yes: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
    var name = try internetAddress(address, port: port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withSockaddr(&name) { bind(descriptor, $0, size) }
    guard code == 0 else {
      defer { close(descriptor) }
      throw LoopbackError("bind \(address):\(port)")
    }
    var length = size
    _ = withSockaddr(&name) { getsockname(descriptor, $0, &length) }
    return (descriptor, Int(UInt16(bigEndian: name.sin_port)))
  }

  /// Connects to a port; returns nil if the connection is refused.
  static func connected(to address: String, port: Int, waits: Bool = true) throws(LoopbackError) -> CInt? {
    let flags = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_INET, waits ? flags : flags | CInt(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw LoopbackError("socket") }
    var name = try internetAddress(address, port: port)
    let code = withSockaddr(&name) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    guard code == 0 || errno == EINPROGRESS else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Connects until a program listens; returns false if the program ends or does not listen within
  /// 20 seconds.
  static func isListening(_ port: Int, while isRunning: @Sendable () -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(20)
    while true {
      if let descriptor = try connected(to: "127.0.0.1", port: port) {
        close(descriptor)
        return true
      }
      guard isRunning(), ContinuousClock.now < end else { return false }
      try await Task.sleep(for: .milliseconds(10))  // clock: another program's start provides no event
    }
  }

  /// Returns a port that is currently free.
  static func freePort() throws(LoopbackError) -> Int { try freePorts(1)[0] }

  /// Returns different ports that are currently free.
  ///
  /// They lie below the range from which Linux chooses ports: until a program listens on one of them, no
  /// connection and no other server that asks for any port gets it.
  static func freePorts(_ count: Int) throws(LoopbackError) -> [Int] {
    var ports: Set<Int> = []
    var attempts = 0
    while ports.count < count {
      attempts += 1
      do throws(LoopbackError) {
        let (descriptor, port) = try bound(to: "127.0.0.1", port: .random(in: 16_384..<32_768))
        close(descriptor)
        ports.insert(port)
      } catch {
        // Another program's port; a thousand of them have another cause.
        guard attempts < 1_000 else { throw error }
      }
    }
    return Array(ports)
  }

  private static func internetAddress(_ address: String, port: Int) throws(LoopbackError) -> sockaddr_in {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    guard inet_pton(AF_INET, address, &name.sin_addr) == 1 else {
      throw LoopbackError(sentence: "\(address) is not an IPv4 address")
    }
    return name
  }

  private static func withSockaddr<Result>(
    _ name: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
    }
  }
}

/// A port that refuses connections and that no other process can use.
public final class ClosedPort: Sendable {
  private let descriptor: CInt
  /// The port.
  public let port: Int

  /// Reserves a port.
  public init(address: String = "127.0.0.1") throws {
    (descriptor, port) = try LoopbackSocket.bound(to: address, port: 0)
  }

  deinit { close(descriptor) }
}

extension LoopbackSocket {
  /// Creates a socket bound to a port of the address ::1, or connects one to it without blocking; returns nil
  /// if the machine has no such address or the port is in use.
  static func onV6(port: Int, connects: Bool, takesDatagrams: Bool = false) -> CInt? {
    let kind = CInt((takesDatagrams ? SOCK_DGRAM : SOCK_STREAM).rawValue)
    let flags = kind | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_INET6, flags, 0)
    guard descriptor >= 0 else { return nil }
    var name = sockaddr_in6()
    name.sin6_family = sa_family_t(AF_INET6)
    name.sin6_port = in_port_t(truncatingIfNeeded: port).bigEndian
    name.sin6_addr = in6addr_loopback
    let code = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        let size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        return connects ? connect(descriptor, $0, size) : bind(descriptor, $0, size)
      }
    }
    guard code == 0 || (connects && errno == EINPROGRESS) else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}

/// A port that does not respond to connection attempts: its queue is full, so the handshake hangs, or it
/// takes datagrams, which are not read.
public final class BlackHole: Sendable {
  private let descriptors: [CInt]
  /// The port.
  public let port: Int

  /// Binds to a port of an address and fills its queue.
  public init(address: String = "127.0.0.1", port: Int = 0) throws {
    let (listener, port) = try LoopbackSocket.bound(to: address, port: port)
    guard listen(listener, 0) == 0 else { throw LoopbackError("listen") }
    var descriptors = [listener]
    for _ in 0..<4 {
      if let filler = try LoopbackSocket.connected(to: address, port: port, waits: false) {
        descriptors.append(filler)
      }
    }
    self.descriptors = descriptors
    self.port = port
  }

  /// Binds to a port of the address ::1 and fills its queue; nil if the machine has no such address.
  public init?(v6Port port: Int) {
    guard let listener = LoopbackSocket.onV6(port: port, connects: false) else { return nil }
    guard listen(listener, 0) == 0 else {
      close(listener)
      return nil
    }
    descriptors = [listener] + (0..<4).compactMap { _ in LoopbackSocket.onV6(port: port, connects: true) }
    self.port = port
  }

  /// Binds to a port of the address ::1 for datagrams; nil if the machine has no such address.
  public init?(v6DatagramPort port: Int) {
    guard let taker = LoopbackSocket.onV6(port: port, connects: false, takesDatagrams: true) else {
      return nil
    }
    descriptors = [taker]
    self.port = port
  }

  /// Whether the system still tries to make the last connection that fills the queue, for some minutes.
  public var isConnecting: Bool {
    guard let last = descriptors.last else { return false }
    var request = pollfd(fd: last, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, 0) == 0
  }

  /// Whether the machine has the address ::1.
  public static var hasV6: Bool {
    guard let descriptor = LoopbackSocket.onV6(port: 0, connects: false) else { return false }
    close(descriptor)
    return true
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}
