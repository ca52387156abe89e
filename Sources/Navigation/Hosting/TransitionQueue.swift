/// Renders by transitions that take time, such as the animations of a window.
@MainActor
public protocol TransitionHost: AnyObject {
  /// Shows the state and returns when the transition is over.
  func transition(_ update: NavigationUpdate) async
}

/// A host whose transitions never overlap: what happens during one is shown by the next.
///
/// Choose it where a second change during an animation would be lost or break the view, as with UIKit's
/// navigation controllers; a host that draws at once conforms to `NavigationHost` itself. Changes that come
/// during a transition are put together, in their order, with the newest state, so a host that is behind
/// catches up in one step. The commands themselves take effect at once.
@MainActor
public final class TransitionQueue: NavigationHost {
  private let host: any TransitionHost
  private var waiting: NavigationUpdate?
  private var work: Task<Void, Never>?

  /// Makes a queue before a host, which it keeps.
  public init(_ host: any TransitionHost) { self.host = host }

  /// Whether a transition is running or waiting.
  public var isBusy: Bool { work != nil }

  /// Begins the transition, or lets it wait for the one that runs.
  public func render(_ update: NavigationUpdate) {
    waiting = waiting.map { $0.followed(by: update) } ?? update
    if work == nil { work = Task { await self.run() } }
  }

  /// Waits until every transition that was asked for is over.
  public func settled() async { await work?.value }

  private func run() async {
    while let update = waiting {
      waiting = nil
      await host.transition(update)
    }
    work = nil
  }
}

extension NavigationUpdate {
  /// Both in one: all changes in their order, and the later state.
  func followed(by next: NavigationUpdate) -> NavigationUpdate {
    NavigationUpdate(changes: changes + next.changes, of: next)
  }
}
