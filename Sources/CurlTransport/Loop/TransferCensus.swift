/// What a dispatcher's thread holds at one moment, so that a test can see that nothing was left behind.
package struct TransferCensus: Sendable, Hashable {
  /// Requests that wait for a place.
  package var waiting = 0
  /// Requests that have a place, as the state machine counts them.
  package var running = 0
  /// Transfers that are kept alive, each with its handle.
  package var transfers = 0
  /// Transfers whose answer is being streamed.
  package var streams = 0
  /// Callers who have no answer yet and whose request has not begun.
  package var unanswered = 0

  /// Whether there is nothing but idle handles and idle connections.
  package var isEmpty: Bool { self == TransferCensus() }
}

extension CurlDispatcher {
  /// Counts what is under way, behind every command that was given before; all zero once it was shut down.
  package func census() async -> TransferCensus {
    await withCheckedContinuation { continuation in
      if !owner.mailbox.post(.census(continuation)) { continuation.resume(returning: TransferCensus()) }
    }
  }
}
