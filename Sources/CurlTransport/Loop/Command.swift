import Interception

/// A command for the loop's thread; rare payloads are boxed, so that copying it takes few instructions.
enum Command: Sendable {
  case submit(Submission)
  case cancel(TransferID)
  /// The body that a request streams was opened; the transfer can be launched.
  case uploadOpened(TransferID)
  /// The body that a request streams has bytes again.
  case uploadReady(TransferID)
  indirect case uploadFailed(TransferID, NetworkError)
  /// The reader of a streamed response has room again.
  case readerReady(TransferID)
  case networkChanged
  indirect case census(CheckedContinuation<TransferCensus, Never>)
  /// Run a job of a task that prefers this thread.
  case run(UnownedJob)
  /// Accept no more requests, and end after the grace at the latest.
  indirect case close(grace: Duration)

  /// Whether the command needs a thread; the others concern requests that a thread carries.
  var startsLoop: Bool {
    switch self {
    case .submit, .census, .run: true
    case .cancel, .uploadOpened, .uploadReady, .uploadFailed, .readerReady, .networkChanged, .close: false
    }
  }

  /// Ends a command that no loop will carry out; `error` makes the error of a request to an origin.
  func refuse(_ error: (WebOrigin) -> NetworkError) {
    switch self {
    case .submit(let submission): submission.answer(.failure(error(submission.plan.origin)))
    case .census(let continuation): continuation.resume(returning: TransferCensus())
    case .run(let job): Mailbox.runElsewhere(job)
    case .cancel, .uploadOpened, .uploadReady, .uploadFailed, .readerReady, .networkChanged, .close: break
    }
  }
}
