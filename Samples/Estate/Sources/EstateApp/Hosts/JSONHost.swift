import Foundation
import Screens
public import Switchyard

/// Prints the content of the top screen as one line of JSON, whenever another one is shown or it changes.
@MainActor public final class JSONHost: NavigationHost {
  private let console: any Console
  private var update: NavigationUpdate?

  /// Creates a host that prints to a console.
  public init(console: any Console) { self.console = console }

  /// Prints the top screen of the update.
  public func render(_ update: NavigationUpdate) {
    self.update = update
    if let screen = update.topScreen as? any ChangingScreen {
      screen.onChange = { [weak self, weak screen] in
        guard let update = self?.update, (update.topScreen as? any ChangingScreen) === screen else { return }
        self?.write(update)
      }
    }
    write(update)
  }

  private func write(_ update: NavigationUpdate) {
    guard let content = (update.topScreen as? any ContentScreen)?.content else {
      return console.write("null")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      console.write(String(decoding: try encoder.encode(content), as: UTF8.self))
    } catch {
      console.write("{\"error\":\"the content of \(update.topScreen?.title ?? "") is not JSON\"}")
    }
  }
}
