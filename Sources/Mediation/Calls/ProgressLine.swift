import Synchronization

/// Carries what a route's code reports to the caller, until the call ends.
final class ProgressLine: Sendable {
  private let isCut = Atomic(false)
  private let take: @Sendable (any Sendable) -> Void

  init(_ take: @escaping @Sendable (any Sendable) -> Void) { self.take = take }

  func report(_ value: any Sendable) {
    if !isCut.load(ordering: .acquiring) { take(value) }
  }

  /// Ends the line: what is reported from now on reaches nobody.
  func cut() { isCut.store(true, ordering: .releasing) }
}
