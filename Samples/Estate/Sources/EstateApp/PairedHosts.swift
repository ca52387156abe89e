public import Navigation
import Screens

/// Renders the screens with a host of the app's choice, and prints them as well.
@MainActor public final class PairedHosts: NavigationHost {
  private let hosts: [any NavigationHost]

  /// Creates a host from another one and a console.
  public init(_ host: any NavigationHost, printingTo console: any Console) {
    hosts = [host, TerminalHost(console: console)]
  }

  /// Renders the update with both.
  public func render(_ update: NavigationUpdate) {
    let screen = update.topScreen as? any ChangingScreen
    // Each host follows the screen by its one property.
    let handlers = hosts.compactMap { host -> (@MainActor () -> Void)? in
      host.render(update)
      return screen?.onChange
    }
    screen?.onChange = { for handle in handlers { handle() } }
  }
}
