import Interception
import Testing

@testable import NetworkMonitoring

@Suite struct PathReportTests {
  private static let wifi = PathReport.Interface(name: "en0", kind: .wifi)
  private static let cellular = PathReport.Interface(name: "pdp_ip0", kind: .cellular)
  private static let loopback = PathReport.Interface(name: "lo0", kind: nil)

  private static func state(
    _ status: PathReport.Status = .satisfied, _ interfaces: [PathReport.Interface], gateways: [String] = [],
    addresses: [String: [String]] = [:]
  ) -> NetworkState {
    PathReport(status: status, interfaces: interfaces, gateways: gateways.compactMap { IPAddress($0) })
      .state(addresses: addresses.mapValues { texts in texts.compactMap { IPAddress($0) } })
  }

  @Test(
    "The preferred interface that is not the loopback decides the kind",
    arguments: [
      ([wifi], NetworkKind.wifi), ([cellular, wifi], .cellular), ([wifi, cellular], .wifi),
      ([loopback, cellular], .cellular), ([loopback], .loopbackOnly), ([], .other),
      ([PathReport.Interface(name: "utun3", kind: .other), wifi], .other),
      ([PathReport.Interface(name: "en5", kind: .wired)], .wired),
    ])
  func kind(_ interfaces: [PathReport.Interface], _ kind: NetworkKind) {
    #expect(Self.state(.satisfied, interfaces).kind == kind)
  }

  @Test("A path that is not satisfied is offline, whatever it lists")
  func unsatisfied() {
    let state = Self.state(
      .unsatisfied, [Self.wifi], gateways: ["192.0.2.1"], addresses: ["en0": ["192.0.2.9"]])
    #expect(state == NetworkState(kind: .loopbackOnly))
    #expect(state.isOnline == false)
  }

  @Test(
    "A path that a connection may open is online, so that requests are sent and open it",
    arguments: [[], [loopback], [wifi]])
  func needsConnection(_ interfaces: [PathReport.Interface]) {
    #expect(Self.state(.needsConnection, interfaces).isOnline == true)
  }

  @Test("Interfaces have their addresses but link-local ones, and all is sorted and listed once")
  func addresses() {
    let state = Self.state(
      .satisfied,
      [Self.wifi, Self.cellular, Self.loopback, PathReport.Interface(name: "awdl0", kind: .wifi)],
      gateways: ["fe80::1", "192.0.2.1", "192.0.2.1"],
      addresses: [
        "pdp_ip0": ["198.51.100.7"],
        "en0": ["fe80::9", "2001:db8::9", "192.0.2.9", "192.0.2.9", "169.254.1.1"],
        "lo0": ["127.0.0.1"], "awdl0": ["fe80::a"], "en7": ["192.0.2.77"],
      ])
    #expect(
      state.interfaces == [
        NetworkInterface(name: "en0", kind: .wifi, addresses: ["192.0.2.9", "2001:db8::9"]),
        NetworkInterface(name: "pdp_ip0", kind: .cellular, addresses: ["198.51.100.7"]),
      ])
    #expect(state.gateways == ["192.0.2.1", "fe80::1"])
  }

  @Test("Another network of the same kind, and another address, are changes")
  func changes() {
    let home = Self.state(.satisfied, [Self.wifi], gateways: ["192.0.2.1"], addresses: ["en0": ["192.0.2.9"]])
    let work = Self.state(
      .satisfied, [Self.wifi], gateways: ["198.51.100.1"], addresses: ["en0": ["192.0.2.9"]])
    let other = Self.state(
      .satisfied, [Self.wifi], gateways: ["192.0.2.1"], addresses: ["en0": ["192.0.2.8"]])
    #expect(home != work && home != other && work != other)
  }
}
