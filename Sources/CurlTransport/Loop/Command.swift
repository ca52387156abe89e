import Interception

/// What other threads ask of the loop's thread.
///
/// Rare values, and those of a layout that the compiler does not know, are boxed, so that copying a command
/// takes a few instructions.
enum Command: Sendable {
  /// Queue a request and give its caller the response.
  case submit(Submission)
  /// Stop a request; unknown ones are over already.
  case cancel(TransferID)
  /// A streamed request body has been opened; nothing was sent before.
  case uploadOpened(TransferID)
  /// A streamed request body has bytes to send again.
  case uploadReady(TransferID)
  /// A streamed request body failed.
  indirect case uploadFailed(TransferID, NetworkError)
  /// The reader of a streamed response has room again.
  case readerReady(TransferID)
  /// The machine has moved to another network; later transfers open new connections.
  case networkChanged
  /// Count what is in flight.
  indirect case census(CheckedContinuation<TransferCensus, Never>)
  /// Run a job of a task that prefers this thread.
  case run(UnownedJob)
  /// Accept nothing more, and end at the latest after the grace.
  indirect case close(grace: Duration)

  /// Whether it needs a thread; the others concern requests, and there are none without a thread.
  var startsLoop: Bool {
    switch self {
    case .submit, .census, .run: true
    case .cancel, .uploadOpened, .uploadReady, .uploadFailed, .readerReady, .networkChanged, .close: false
    }
  }

  /// Ends a command that no loop carries out.
  ///
  /// - Parameter error: Why a request to an origin is refused.
  func refuse(_ error: (WebOrigin) -> NetworkError) {
    switch self {
    case .submit(let submission): submission.answer(.failure(error(submission.plan.origin)))
    case .census(let continuation): continuation.resume(returning: TransferCensus())
    case .run(let job): Mailbox.runElsewhere(job)
    case .cancel, .uploadOpened, .uploadReady, .uploadFailed, .readerReady, .networkChanged, .close: break
    }
  }
}
