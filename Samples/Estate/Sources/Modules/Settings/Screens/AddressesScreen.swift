import EstateContract
import Screens

/// The addresses of the server's current host: how fast each is, and whether it is used.
struct AddressesScreen: ContentScreen {
  let addresses: @MainActor @Sendable () -> KnownAddresses

  var content: ScreenContent {
    let known = addresses()
    return ScreenContent(
      title: "Network", blocks: [known.block, .text(known.network)],
      actions: [.show("All settings", "estate://settings")])
  }
}

/// What is known of the addresses of the server's current host.
struct KnownAddresses {
  let host: String
  let addresses: [ServerAddress]
  let network: String

  /// The addresses as a table; without one a sentence that says why there is none.
  var block: ContentBlock {
    addresses.isEmpty
      ? .text("\(host) has no address in the app's list; the system's DNS resolves it.")
      : .table(
        "Addresses of \(host)", header: ["Address", "Connection", "State"],
        rows: addresses.map { [$0.address, Self.time(of: $0), Self.state(of: $0)] })
  }

  private static func time(of address: ServerAddress) -> String {
    address.connectTime.map { "connects in \(Amounts.milliseconds($0))" } ?? "not measured"
  }

  private static func state(of address: ServerAddress) -> String {
    guard let pause = address.pause else { return "in use" }
    return "not used for \(pause.components.seconds + 1) s, after \(address.failures) failed "
      + (address.failures == 1 ? "connection" : "connections")
  }
}
