// Network has a protocol IPAddress, too, so the type of this package is written with its module.
import Interception

#if canImport(Network)
import Dispatch
import Network
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif
#endif

/// Something that reports the state of the network to a ``NetworkMonitor``.
public protocol NetworkSource: Sendable {
  /// Returns the current state, if it is known, and then the state after each change.
  ///
  /// Each call returns a separate stream. Intermediate states may be skipped, and states may repeat. What
  /// the stream needs is released when its reader ends.
  ///
  /// - Throws: ``NetworkMonitorError`` if the network can't be monitored.
  func states() throws(NetworkMonitorError) -> AsyncStream<NetworkState>
}

/// What the path monitor of an Apple platform reports; a pure value.
struct PathReport: Hashable {
  /// Whether connections can be opened.
  enum Status: Hashable {
    case satisfied
    case unsatisfied
    /// An attempt to connect may open the network, such as a VPN on demand.
    case needsConnection
  }

  struct Interface: Hashable {
    let name: String
    /// The kind of network; nil for the loopback interface.
    let kind: NetworkKind?
  }

  let status: Status
  /// The interfaces that new connections may use, the preferred one first.
  let interfaces: [Interface]
  /// The addresses of the gateways.
  let gateways: [Interception.IPAddress]

  /// Returns the state of the network that the report describes.
  ///
  /// - Parameter addresses: The addresses of the interfaces that are up, by their names, which a path doesn't
  ///   have.
  func state(addresses: [String: [Interception.IPAddress]]) -> NetworkState {
    // The loopback interface is always up.
    guard status != .unsatisfied else { return NetworkState(kind: .loopbackOnly) }
    let others = interfaces.compactMap { interface in
      interface.kind.map { (name: interface.name, kind: $0) }
    }
    let isLoopbackOnly = others.isEmpty && !interfaces.isEmpty && status == .satisfied
    let found = others.compactMap { name, kind -> NetworkInterface? in
      let texts = (addresses[name] ?? []).filter { $0.specialPurpose != .linkLocal }.map(\.description)
      return texts.isEmpty ? nil : NetworkInterface(name: name, kind: kind, addresses: Set(texts).sorted())
    }
    return NetworkState(
      kind: others.first?.kind ?? (isLoopbackOnly ? .loopbackOnly : .other),
      interfaces: found.sorted { $0.name < $1.name },
      gateways: Set(gateways.map(\.description)).sorted())
  }
}

#if canImport(Network)
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

  // Safe to send: a started monitor is only cancelled, which is allowed on any thread. Not every SDK declares
  // its class as Sendable.
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
