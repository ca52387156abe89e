import EstateNetwork
import TerminalScreens

/// The addresses of the server's current host: how fast each is, and whether it is used.
struct AddressesScreen: TerminalScreen {
  let title = "Network"
  let lines: [String]

  /// Creates the screen of a host's addresses; without one it says why there is none.
  init(host: String, addresses: [ServerAddress], network: String) {
    lines =
      (addresses.isEmpty
        ? ["\(host) has no address in the app's list; the system's DNS resolves it."]
        : ["Addresses of \(host):"] + addresses.map(Self.line)) + [network]
  }

  private static func line(_ address: ServerAddress) -> String {
    let time = address.connectTime.map { "connects in \(Amounts.milliseconds($0))" } ?? "not measured"
    let state =
      if let pause = address.pause {
        "not used for \(pause.components.seconds + 1) s, after \(address.failures) failed "
          + (address.failures == 1 ? "connection" : "connections")
      } else {
        "in use"
      }
    return "  " + Amounts.padded(address.address, to: 24) + Amounts.padded(time, to: 26) + state
  }
}
