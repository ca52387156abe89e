import Interception

/// What other threads ask of libcurl's thread.
///
/// What is rare or of a layout that the compiler doesn't know is in a box of its own: a command is copied by a few instructions.
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
  indirect case census(CheckedContinuation<TransferCensus, Never>)
  /// Run a piece of a task that prefers this thread.
  case run(UnownedJob)
  /// Accept nothing more, and end at the latest after the grace.
  indirect case close(grace: Duration)
}
