import Interception

/// What other threads ask of libcurl's thread.
enum Command: Sendable {
  /// Queue a request, and answer whoever waits for it.
  case submit(Submission)
  /// Stop a request; unknown ones are over already.
  case cancel(TransferID)
  /// A streamed request body has been opened; nothing was sent before.
  case uploadOpened(TransferID)
  /// A streamed request body has something to send again.
  case uploadReady(TransferID)
  /// A streamed request body cannot go on.
  indirect case uploadFailed(TransferID, NetworkError)
  /// The reader of a streamed answer has room again.
  case readerReady(TransferID)
  /// The machine has moved to another network; what starts from now on starts on fresh connections.
  case networkChanged
  /// Count what is under way.
  case census(CheckedContinuation<TransferCensus, Never>)
  /// Run a piece of a task that prefers this thread.
  case run(UnownedJob)
  /// Accept nothing more, and end at the latest after the grace.
  case close(grace: Duration)
}
