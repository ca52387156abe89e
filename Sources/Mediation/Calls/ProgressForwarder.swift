import Synchronization

/// Passes progress reports of a route's code to the caller until the call ends.
final class ProgressForwarder: Sendable {
  private let hasEnded = Atomic(false)
  private let receive: @Sendable (any Sendable) -> Void

  init(_ receive: @escaping @Sendable (any Sendable) -> Void) { self.receive = receive }

  func report(_ value: any Sendable) {
    if !hasEnded.load(ordering: .acquiring) { receive(value) }
  }

  /// Ends the forwarding; later reports are discarded.
  func end() { hasEnded.store(true, ordering: .releasing) }
}
