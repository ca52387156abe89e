import Interception

/// The links, addresses and default routes that a dump has reported; a pure value.
///
/// The number of each is limited, so that a machine with many thousands of them can't exhaust memory.
struct NetworkTable: Hashable {
  struct Link: Hashable {
    let name: String
    let hardware: UInt16
    let flags: UInt32
  }

  struct Address: Hashable {
    let link: UInt32
    let text: String
  }

  struct DefaultRoute: Hashable {
    let link: UInt32
    let gateway: String?
    /// The preference; the lowest number is preferred.
    let priority: UInt32
  }

  static let maximumLinks = 4_096
  static let maximumAddresses = 4_096
  static let maximumRoutes = 1_024

  private(set) var links: [UInt32: Link] = [:]
  private(set) var addresses: Set<Address> = []
  private(set) var routes: Set<DefaultRoute> = []

  /// Records an object from a dump; ignores other and malformed messages.
  mutating func record(_ message: NetlinkMessage) {
    switch message.type {
    case NetlinkConstant.newLink: recordLink(message.payload)
    case NetlinkConstant.newAddress: recordAddress(message.payload)
    case NetlinkConstant.newRoute:
      if let route = Self.defaultRoute(message.payload), routes.count < Self.maximumRoutes {
        routes.insert(route)
      }
    default: break
    }
  }

  /// Whether a notification concerns something that a state contains.
  static func isRelevant(_ message: NetlinkMessage) -> Bool {
    switch message.type {
    case NetlinkConstant.newLink, NetlinkConstant.deletedLink, NetlinkConstant.newAddress,
      NetlinkConstant.deletedAddress:
      true
    case NetlinkConstant.newRoute, NetlinkConstant.deletedRoute: defaultRoute(message.payload) != nil
    default: false
    }
  }

  private mutating func recordLink(_ payload: ArraySlice<UInt8>) {
    guard let hardware = payload.number16(at: 2), let index = payload.number32(at: 4),
      let flags = payload.number32(at: 8), links[index] != nil || links.count < Self.maximumLinks
    else { return }
    let attributes = NetlinkMessage.attributes(payload.dropFirst(16))
    guard let name = attributes[NetlinkConstant.linkName]?.prefix(while: { $0 != 0 }),
      // IFNAMSIZ, with the null byte.
      (1..<16).contains(name.count)
    else { return }
    links[index] = Link(name: String(decoding: name, as: UTF8.self), hardware: hardware, flags: flags)
  }

  private mutating func recordAddress(_ payload: ArraySlice<UInt8>) {
    guard let family = payload.first, let index = payload.number32(at: 4), payload.count >= 8,
      addresses.count < Self.maximumAddresses
    else { return }
    let attributes = NetlinkMessage.attributes(payload.dropFirst(8))
    let flags =
      attributes[NetlinkConstant.addressFlags].flatMap { $0.number32(at: 0) }
      ?? UInt32(payload[payload.startIndex + 2])
    // Of a point-to-point link the first attribute is the peer's address.
    guard flags & NetlinkConstant.unusableAddress == 0,
      let bytes = attributes[NetlinkConstant.localAddress]
        ?? attributes[NetlinkConstant.addressOfInterface],
      let address = Self.address(bytes, family: family), address.specialPurpose != .linkLocal
    else { return }
    addresses.insert(Address(link: index, text: "\(address)"))
  }

  private static func defaultRoute(_ payload: ArraySlice<UInt8>) -> DefaultRoute? {
    guard payload.count >= 12, let family = payload.first, payload[payload.startIndex + 1] == 0,
      payload[payload.startIndex + 7] == NetlinkConstant.unicastRoute
    else { return nil }
    var attributes = NetlinkMessage.attributes(payload.dropFirst(12))
    let priority = attributes[NetlinkConstant.routePriority].flatMap { $0.number32(at: 0) } ?? 0
    var link = attributes[NetlinkConstant.routeInterface].flatMap { $0.number32(at: 0) }
    if link == nil, let hops = attributes[NetlinkConstant.routeMultipath], let length = hops.number16(at: 0),
      Int(length) >= 8, Int(length) <= hops.count
    {
      link = hops.number32(at: 4)
      attributes = NetlinkMessage.attributes(hops.prefix(Int(length)).dropFirst(8))
    }
    guard let link else { return nil }
    let gateway = attributes[NetlinkConstant.routeGateway].flatMap { address($0, family: family) }
    return DefaultRoute(link: link, gateway: gateway.map { "\($0)" }, priority: priority)
  }

  private static func address(_ bytes: ArraySlice<UInt8>, family: UInt8) -> IPAddress? {
    switch (Int32(family), bytes.count) {
    case (2, 4), (10, 16): IPAddress(bytes: Array(bytes))
    default: nil
    }
  }
}

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
