extension NetworkTable {
  /// Returns the state of the network that the table describes.
  ///
  /// - Parameter deviceType: Returns the value of `DEVTYPE` that the system has for an interface, such as
  ///   `wlan`.
  func state(deviceType: (String) -> String?) -> NetworkState {
    var kinds: [UInt32: NetworkKind] = [:]
    var found: [(index: UInt32, interface: NetworkInterface)] = []
    let addressesByLink = Dictionary(grouping: addresses, by: \.link)
    for (index, link) in links.sorted(by: { $0.value.name < $1.value.name })
    where link.isUsable && !link.isLoopback {
      guard let addresses = addressesByLink[index] else { continue }
      let kind = link.kind(deviceType: deviceType(link.name))
      kinds[index] = kind
      let texts = addresses.map(\.text).sorted()
      found.append((index, NetworkInterface(name: link.name, kind: kind, addresses: texts)))
    }
    // The routes of a link without a carrier remain in the table.
    let usableRoutes = routes.filter { kinds[$0.link] != nil }
    // The bridge of a container or another interface beside the network's doesn't change its connections.
    let routed = Set(usableRoutes.map(\.link))
    let interfaces = found.filter { routed.isEmpty || routed.contains($0.index) }.map(\.interface)
    let preferred = usableRoutes.min { ($0.priority, $0.link) < ($1.priority, $1.link) }
    let isLoopbackUp = links.values.contains { $0.isLoopback && $0.isUsable }
    let kind =
      preferred.flatMap { kinds[$0.link] } ?? interfaces.first?.kind ?? (isLoopbackUp ? .loopbackOnly : .none)
    return NetworkState(
      kind: kind, interfaces: interfaces, gateways: Set(usableRoutes.compactMap(\.gateway)).sorted())
  }
}

extension NetworkTable.Link {
  var isLoopback: Bool { flags & NetlinkConstant.linkIsLoopback != 0 }

  /// Whether the link is up and has a carrier.
  var isUsable: Bool {
    let required = NetlinkConstant.linkIsUp | NetlinkConstant.linkIsRunning
    return flags & required == required
  }

  func kind(deviceType: String?) -> NetworkKind {
    switch (deviceType, hardware) {
    case ("wlan", _): .wifi
    // 519 is ARPHRD_RAWIP, of modems.
    case ("wwan", _), (_, 519): .cellular
    // 1 is ARPHRD_ETHER.
    case (_, 1): .wired
    default: .other
    }
  }
}
