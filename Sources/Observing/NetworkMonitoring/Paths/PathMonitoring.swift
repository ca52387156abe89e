#if canImport(Network)
import Dispatch
// Network has a protocol IPAddress, too, so the type of this package is written with its module.
import Interception
import Network

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
    let owner = MonitorOwner()
    let (stream, continuation) = AsyncStream.makeStream(
      of: NetworkState.self, bufferingPolicy: .bufferingNewest(1))
    owner.monitor.pathUpdateHandler = { path in
      continuation.yield(PathReport(path).state(addresses: InterfaceAddresses.current()))
    }
    continuation.onTermination = { _ in owner.monitor.cancel() }
    owner.monitor.start(queue: DispatchQueue(label: "Switchyard.NetworkMonitoring"))
    return stream
  }

  // Safe to send: once it is started, the monitor is only cancelled, which is allowed on any thread. Not every SDK
  // declares its class as Sendable.
  private final class MonitorOwner: @unchecked Sendable {
    let monitor = NWPathMonitor()
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

  private static func address(of gateway: NWEndpoint) -> Interception.IPAddress? {
    guard case .hostPort(let host, _) = gateway else { return nil }
    let text: String
    switch host {
    case .ipv4(let address): text = "\(address)"
    case .ipv6(let address): text = "\(address)"
    case .name: return nil
    @unknown default: return nil
    }
    // A link-local address has its zone, which is an interface of this device.
    return Interception.IPAddress(text.prefix { $0 != "%" })
  }
}

/// The addresses of the interfaces that are up, by the names of the interfaces.
enum InterfaceAddresses {
  private static let maximumCount = 4_096

  /// Reads them from the system; none if that fails.
  static func current() -> [String: [Interception.IPAddress]] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [:] }
    defer { freeifaddrs(list) }
    var addresses: [String: [Interception.IPAddress]] = [:]
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

  private static func address(at pointer: UnsafeMutablePointer<sockaddr>) -> Interception.IPAddress? {
    switch CInt(pointer.pointee.sa_family) {
    case AF_INET:
      pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
        withUnsafeBytes(of: pointer.pointee.sin_addr) { Interception.IPAddress(bytes: Array($0)) }
      }
    case AF_INET6:
      pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
        withUnsafeBytes(of: pointer.pointee.sin6_addr) { Interception.IPAddress(bytes: Array($0)) }
      }
    default: nil
    }
  }
}
#endif
