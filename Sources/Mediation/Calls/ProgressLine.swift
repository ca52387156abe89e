import Synchronization

/// Passes progress reports of a route's code to the caller until the call ends.
final class ProgressLine: Sendable {
  private let isCut = Atomic(false)
  private let take: @Sendable (any Sendable) -> Void

  init(_ take: @escaping @Sendable (any Sendable) -> Void) { self.take = take }

  func report(_ value: any Sendable) {
    if !isCut.load(ordering: .acquiring) { take(value) }
  }

  /// Ends the forwarding; later reports are discarded.
  func cut() { isCut.store(true, ordering: .releasing) }
}
