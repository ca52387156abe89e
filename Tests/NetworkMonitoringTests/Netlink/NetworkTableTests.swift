import Testing

@testable import NetworkMonitoring

@Suite struct NetworkTableTests {
  private static let loopback = (
    type: UInt16(16), payload: NetlinkBytes.link(1, "lo", hardware: 772, flags: 0x49)
  )
  private static let loopbackAddress = (type: UInt16(20), payload: NetlinkBytes.address(1, [127, 0, 0, 1]))

  private func state(
    _ payloads: [(type: UInt16, payload: [UInt8])], types: [String: String] = [:]
  ) -> NetworkState {
    NetworkTable([Self.loopback, Self.loopbackAddress] + payloads).state { types[$0] }
  }

  @Test("A link with an address and a default route is reported with its kind, address and gateway")
  func wired() {
    let state = state([
      (16, NetlinkBytes.link(2, "eth0")), (20, NetlinkBytes.address(2, [192, 0, 2, 9])),
      (24, NetlinkBytes.defaultRoute(2, gateway: [192, 0, 2, 1])),
    ])
    #expect(state.kind == .wired)
    #expect(state.isOnline == true)
    #expect(state.interfaces == [NetworkInterface(name: "eth0", kind: .wired, addresses: ["192.0.2.9"])])
    #expect(state.gateways == ["192.0.2.1"])
  }

  @Test(
    "The kind is read from the device type and the hardware type",
    arguments: [
      ("wlan", 1, NetworkKind.wifi), ("wwan", 1, .cellular), ("", 519, .cellular), ("", 1, .wired),
      ("bridge", 1, .wired), ("", 65_534, .other), ("", 512, .other),
    ])
  func kinds(_ type: String, _ hardware: UInt16, _ kind: NetworkKind) {
    let state = state(
      [(16, NetlinkBytes.link(2, "x0", hardware: hardware)), (20, NetlinkBytes.address(2, [192, 0, 2, 9]))],
      types: type.isEmpty ? [:] : ["x0": type])
    #expect(state.kind == kind)
  }

  @Test("The default route with the lowest metric decides the kind, if its link is up")
  func preference() {
    let both: [(type: UInt16, payload: [UInt8])] = [
      (16, NetlinkBytes.link(2, "eth0")), (20, NetlinkBytes.address(2, [192, 0, 2, 9])),
      (16, NetlinkBytes.link(3, "wlan0")), (20, NetlinkBytes.address(3, [198, 51, 100, 9])),
      (24, NetlinkBytes.defaultRoute(3, gateway: [198, 51, 100, 1], priority: 50)),
      (24, NetlinkBytes.defaultRoute(2, gateway: [192, 0, 2, 1], priority: 600)),
    ]
    #expect(state(both, types: ["wlan0": "wlan"]).kind == .wifi)
    // Without a carrier the route remains in the table.
    let unplugged = both + [(16, NetlinkBytes.link(3, "wlan0", flags: 0x01))]
    #expect(state(unplugged, types: ["wlan0": "wlan"]).kind == .wired)
    #expect(state(unplugged).gateways == ["192.0.2.1"])
  }

  @Test("An interface that no default route uses, such as docker0, changes nothing")
  func unrelated() {
    let wired: [(type: UInt16, payload: [UInt8])] = [
      (16, NetlinkBytes.link(2, "eth0")), (20, NetlinkBytes.address(2, [192, 0, 2, 9])),
      (24, NetlinkBytes.defaultRoute(2, gateway: [192, 0, 2, 1])),
    ]
    let docker: [(type: UInt16, payload: [UInt8])] = [
      (16, NetlinkBytes.link(5, "docker0")), (20, NetlinkBytes.address(5, [172, 17, 0, 1])),
    ]
    #expect(state(wired + docker) == state(wired))
    // An address of the interface that is used does.
    #expect(state(wired + [(20, NetlinkBytes.address(2, [192, 0, 2, 10]))]) != state(wired))
    // Without a default route every interface may be the one that is used.
    #expect(state(docker).interfaces.map(\.name) == ["docker0"])
  }

  @Test("Without a usable address on another link there is only the loopback interface")
  func loopbackOnly() {
    #expect(state([]).kind == .loopbackOnly)
    #expect(state([]).isOnline == false)
    let linkLocal: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
    let global: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
    let link: (type: UInt16, payload: [UInt8]) = (16, NetlinkBytes.link(2, "eth0"))
    #expect(state([link, (20, NetlinkBytes.address(2, linkLocal))]).kind == .loopbackOnly)
    #expect(state([link, (20, NetlinkBytes.address(2, [169, 254, 1, 1]))]).kind == .loopbackOnly)
    // A tentative address.
    #expect(state([link, (20, NetlinkBytes.address(2, global, flags: 0x40))]).kind == .loopbackOnly)
    #expect(
      state([link, (20, NetlinkBytes.address(2, global))]).interfaces.first?.addresses == ["2001:db8::1"])
  }

  @Test("Without any link that is up there is no network")
  func none() {
    let table = NetworkTable([(16, NetlinkBytes.link(1, "lo", hardware: 772, flags: 0x08))])
    #expect(table.state { _ in nil } == NetworkState(kind: .none))
    #expect(NetworkState.unknown.isOnline == nil)
  }

  @Test("A default route with several next hops belongs to the first one")
  func multipath() {
    func hop(_ link: UInt32, _ gateway: [UInt8]) -> [UInt8] {
      let attributes = NetlinkBytes.attribute(5, gateway)
      return NetlinkBytes.bytes(UInt16(8 + attributes.count)) + [0, 0] + NetlinkBytes.bytes(link) + attributes
    }
    let hops = NetlinkBytes.attribute(9, hop(2, [192, 0, 2, 1]) + hop(3, [192, 0, 2, 2]))
    let route = [2, 0, 0, 0, 254, 3, 0, 1] + NetlinkBytes.bytes(UInt32(0)) + hops
    let table = NetworkTable([(24, route)])
    #expect(table.routes == [NetworkTable.DefaultRoute(link: 2, gateway: "192.0.2.1", priority: 0)])
  }

  @Test("A next hop that is too short is ignored", arguments: 0...9)
  func shortHop(_ length: Int) {
    let hop = NetlinkBytes.bytes(UInt16(length)) + [UInt8](repeating: 0, count: max(0, length - 2))
    let route = [2, 0, 0, 0, 254, 3, 0, 1] + NetlinkBytes.bytes(UInt32(0)) + NetlinkBytes.attribute(9, hop)
    #expect(NetworkTable([(24, route)]).routes.allSatisfy { $0.link == 0 })
  }

  @Test("An attribute after one of an odd length is read")
  func alignment() {
    let attributes = NetlinkBytes.attribute(18, [1, 2, 3, 4, 5]) + NetlinkBytes.attribute(4, [7, 0, 0, 0])
    #expect(NetlinkMessage.attributes(attributes[...])[4].map(Array.init) == [7, 0, 0, 0])
  }

  @Test("Routes to networks, unreachable routes and malformed objects are ignored")
  func ignored() {
    let table = NetworkTable([
      (24, NetlinkBytes.defaultRoute(2, gateway: nil, prefix: 24)),
      (24, NetlinkBytes.defaultRoute(2, gateway: nil, type: 7)), (24, [2, 0, 0]),
      (16, NetlinkBytes.link(2, "a-name-of-16-byt")), (16, NetlinkBytes.link(2, "")), (16, [0]),
      (20, NetlinkBytes.address(2, [1, 2, 3])), (20, [2]), (99, [1, 2]),
    ])
    #expect(table == NetworkTable())
  }

  @Test("The number of links, addresses and routes is limited")
  func limits() {
    var table = NetworkTable()
    func record(_ type: UInt16, _ payload: [UInt8]) {
      table.record(NetlinkMessage(type: type, flags: 2, sequence: 1, port: 7, payload: payload[...]))
    }
    for number in 0..<5_000 as Range<UInt32> {
      record(16, NetlinkBytes.link(number, "x\(number)"))
      record(20, NetlinkBytes.address(2, [10, 0, UInt8(number >> 8), UInt8(number & 255)]))
      record(24, NetlinkBytes.defaultRoute(number, gateway: nil))
    }
    #expect(table.links.count == 4_096 && table.addresses.count == 4_096 && table.routes.count == 1_024)
  }
}
