/// The numbers of requests that a dispatcher's thread holds, by which tests find leaks.
package struct TransferCensus: Sendable, Hashable {
  package var waiting = 0
  package var running = 0
  package var transfers = 0
  /// Transfers whose responses are being streamed.
  package var streams = 0
  /// Requests that have neither started nor failed.
  package var unanswered = 0

  package var isEmpty: Bool { self == TransferCensus() }
}

extension CurlDispatcher {
  /// Counts the requests after every command posted before; all numbers are 0 after a shutdown.
  package func census() async -> TransferCensus {
    await withCheckedContinuation { continuation in
      if !owner.mailbox.post(.census(continuation)) { continuation.resume(returning: TransferCensus()) }
    }
  }
}
