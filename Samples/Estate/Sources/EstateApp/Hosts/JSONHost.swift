import Foundation
import Screens
package import Switchyard

/// Prints the content of the top screen as one line of JSON, whenever another one is shown or it changes.
@MainActor package final class JSONHost: NavigationHost {
  private let console: any Console
  private var update: NavigationUpdate?

  package init(console: any Console) { self.console = console }

  package func render(_ update: NavigationUpdate) {
    self.update = update
    update.follow { [weak self] screen in
      guard let update = self?.update, (update.topScreen as? any ChangingScreen) === screen else { return }
      self?.write(update)
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
