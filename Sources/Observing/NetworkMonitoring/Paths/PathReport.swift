import Interception

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
  let gateways: [IPAddress]

  /// Returns the state of the network that the report describes.
  ///
  /// - Parameter addresses: The addresses of the interfaces that are up, by their names, which a path doesn't
  ///   have.
  func state(addresses: [String: [IPAddress]]) -> NetworkState {
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
