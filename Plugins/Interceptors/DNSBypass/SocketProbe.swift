import Dispatch
import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A TCP connection that is opened to measure how long that takes, and closed again.
struct SocketProbe: Sendable {
  /// The error of a probe that made no connection.
  struct Failure: Error {}

  static let limit = Duration.seconds(2)

  private let target: ConnectTarget

  init(_ target: ConnectTarget) { self.target = target }

  /// Connects on a thread of its own, so that no thread of Swift's pool blocks.
  func connectTime() async throws -> Duration {
    let time = await withCheckedContinuation { (continuation: CheckedContinuation<Duration?, Never>) in
      // A serial queue without a target is served by a thread beyond the limit of the shared pool.
      DispatchQueue(label: "switchyard.probe").async { continuation.resume(returning: measured()) }
    }
    guard let time else { throw Failure() }
    return time
  }

  private func measured() -> Duration? {
    guard let address = try? ScopedAddress(target.address), let port = target.port,
      let descriptor = Self.makeSocket(isVersion6: address.address.isVersion6)
    else { return nil }
    defer { close(descriptor) }
    let clock = ContinuousClock()
    let start = clock.now
    guard Self.startConnecting(descriptor, to: address, port: port) else { return nil }
    while true {
      let left = Self.limit - (clock.now - start)
      guard left > .zero else { return nil }
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let count = poll(&request, 1, CInt(left / .milliseconds(1)) + 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      var fault: CInt = 0
      var size = socklen_t(MemoryLayout<CInt>.size)
      guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &fault, &size) == 0, fault == 0 else { return nil }
      return clock.now - start
    }
  }

  private static func makeSocket(isVersion6: Bool) -> CInt? {
    let family = isVersion6 ? AF_INET6 : AF_INET
    #if canImport(Darwin)
    let descriptor = socket(family, SOCK_STREAM, 0)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    #else
    let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { return nil }
    #endif
    return descriptor
  }

  /// Returns false if the connection failed at once.
  private static func startConnecting(_ descriptor: CInt, to target: ScopedAddress, port: Int) -> Bool {
    let address = target.address
    let number = in_port_t(truncatingIfNeeded: port).bigEndian
    if address.isVersion6 {
      var name = sockaddr_in6()
      name.sin6_family = sa_family_t(AF_INET6)
      name.sin6_port = number
      // A zone that is no interface of this machine leaves 0, with which the system refuses to connect.
      name.sin6_scope_id = target.zone.map { UInt32($0) ?? if_nametoindex($0) } ?? 0
      withUnsafeMutableBytes(of: &name.sin6_addr) { $0.copyBytes(from: address.bytes) }
      return connecting(descriptor, &name)
    }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = number
    withUnsafeMutableBytes(of: &name.sin_addr) { $0.copyBytes(from: address.bytes) }
    return connecting(descriptor, &name)
  }

  private static func connecting<Name>(_ descriptor: CInt, _ name: inout Name) -> Bool {
    let code = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<Name>.size))
      }
    }
    return code == 0 || errno == EINPROGRESS
  }
}
