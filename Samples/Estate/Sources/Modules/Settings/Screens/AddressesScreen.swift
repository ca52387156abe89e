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
