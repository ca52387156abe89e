/// Renders by transitions that take time, such as the animations of a window.
@MainActor
package protocol TransitionHost: AnyObject {
  /// Shows the state and returns when the transition is complete.
  func transition(_ update: NavigationUpdate) async
}

/// A host whose transitions never overlap: changes that arrive during a transition are shown by the next one.
///
/// Use it where a second change during an animation would be lost or break the view, as with UIKit's
/// navigation controllers; a host that draws immediately conforms to `NavigationHost` itself. Changes that
/// arrive during a transition are merged in order, with the newest state, so a host that is behind catches up
/// in one step. The commands themselves take effect immediately.
@MainActor
package final class TransitionQueue: NavigationHost {
  private let host: any TransitionHost
  private var waiting: NavigationUpdate?
  private var work: Task<Void, Never>?

  /// Creates a queue for a host, which it retains.
  package init(_ host: any TransitionHost) { self.host = host }

  /// Whether a transition is running or waiting.
  package var isBusy: Bool { work != nil }

  /// Starts the transition, or enqueues it behind the current one.
  package func render(_ update: NavigationUpdate) {
    waiting = waiting.map { $0.followed(by: update) } ?? update
    if work == nil { work = Task { await self.run() } }
  }

  /// Waits until all pending transitions are complete.
  package func settled() async { await work?.value }

  private func run() async {
    while let update = waiting {
      waiting = nil
      await host.transition(update)
    }
    work = nil
  }
}

extension NavigationUpdate {
  /// Merges two updates: all changes in order, and the later state.
  func followed(by next: NavigationUpdate) -> NavigationUpdate {
    NavigationUpdate(changes: changes + next.changes, of: next)
  }
}
