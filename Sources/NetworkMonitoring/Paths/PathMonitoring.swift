#if canImport(Network)
import Dispatch
import Interception
// Its classes are not declared Sendable by every SDK; the monitor is only cancelled from another thread.
@preconcurrency import Network

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The states that `NWPathMonitor` reports.
enum PathMonitoring {
  /// Returns the current state, and the state after each change of the path.
  ///
  /// The monitor is released when the stream's reader ends.
  static func states() -> AsyncStream<NetworkState> {
    let monitor = NWPathMonitor()
    let (stream, continuation) = AsyncStream.makeStream(
      of: NetworkState.self, bufferingPolicy: .bufferingNewest(1))
    monitor.pathUpdateHandler = { path in
      continuation.yield(PathReport(path).state(addresses: InterfaceAddresses.current()))
    }
    continuation.onTermination = { _ in monitor.cancel() }
    monitor.start(queue: DispatchQueue(label: "Switchyard.NetworkMonitoring"))
    return stream
  }
}

extension PathReport {
  init(_ path: NWPath) {
    let status: Status =
      switch path.status {
      case .satisfied: .satisfied
      case .requiresConnection: .needsConnection
      case .unsatisfied: .unsatisfied
      @unknown default: .unsatisfied
      }
    self.init(
      status: status,
      interfaces: path.availableInterfaces.map { Interface(name: $0.name, kind: Self.kind(of: $0.type)) },
      gateways: path.gateways.compactMap(Self.address))
  }

  private static func kind(of type: NWInterface.InterfaceType) -> NetworkKind? {
    switch type {
    case .wifi: .wifi
    case .cellular: .cellular
    case .wiredEthernet: .wired
    case .loopback: nil
    case .other: .other
    @unknown default: .other
    }
  }

  private static func address(of gateway: NWEndpoint) -> IPAddress? {
    guard case .hostPort(let host, _) = gateway else { return nil }
    let text: String
    switch host {
    case .ipv4(let address): text = "\(address)"
    case .ipv6(let address): text = "\(address)"
    case .name: return nil
    @unknown default: return nil
    }
    // A link-local address has its zone, which is an interface of this device.
    return IPAddress(text.prefix { $0 != "%" })
  }
}

/// The addresses of the interfaces that are up, by the names of the interfaces.
enum InterfaceAddresses {
  private static let maximumCount = 4_096

  /// Reads them from the system; none if that fails.
  static func current() -> [String: [IPAddress]] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [:] }
    defer { freeifaddrs(list) }
    var addresses: [String: [IPAddress]] = [:]
    var count = 0
    var next = list
    while let entry = next?.pointee, count < maximumCount {
      next = entry.ifa_next
      count += 1
      guard entry.ifa_flags & UInt32(IFF_UP) != 0, let socketAddress = entry.ifa_addr,
        let address = address(at: socketAddress)
      else { continue }
      addresses[String(cString: entry.ifa_name), default: []].append(address)
    }
    return addresses
  }

  private static func address(at pointer: UnsafeMutablePointer<sockaddr>) -> IPAddress? {
    switch CInt(pointer.pointee.sa_family) {
    case AF_INET:
      pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
        withUnsafeBytes(of: pointer.pointee.sin_addr) { IPAddress(bytes: Array($0)) }
      }
    case AF_INET6:
      pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
        withUnsafeBytes(of: pointer.pointee.sin6_addr) { IPAddress(bytes: Array($0)) }
      }
    default: nil
    }
  }
}
#endif
