/// The numbers of requests and sockets that a loop holds.
package struct TransferCensus: Sendable, Hashable {
  package var waiting = 0
  package var running = 0
  package var transfers = 0
  /// Transfers whose responses are being streamed.
  package var streams = 0
  /// Requests that have neither started nor failed.
  package var unanswered = 0
  /// Open sockets, also those of idle connections.
  package var sockets = 0

  /// Whether no request is held; idle connections may be open.
  package var isEmpty: Bool {
    waiting == 0 && running == 0 && transfers == 0 && streams == 0 && unanswered == 0
  }
}

extension CurlDispatcher {
  /// Counts what the first thread holds after every command posted before; all numbers are 0 after a
  /// shutdown.
  package func census() async -> TransferCensus { await owner.census() }
}
