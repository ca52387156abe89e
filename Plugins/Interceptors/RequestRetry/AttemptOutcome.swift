import HTTPTypes
import Interception

/// The part of an attempt's outcome that determines whether the request is sent again.
enum AttemptOutcome: Sendable, Hashable {
  /// A response, with the wait that its `Retry-After` field asks for.
  case response(status: Int, retryAfter: Duration?)
  /// An error, whether the server may have processed the request, and what had been transferred.
  case failure(
    NetworkError.Kind, mayHaveBeenProcessed: Bool, progress: NetworkError.Progress = NetworkError.Progress())
  /// An error of the work that completes the request, such as obtaining a token, so that it was not sent.
  case unsent(NetworkError.Kind)

  /// Whether the server may have processed the request.
  var mayHaveBeenProcessed: Bool {
    switch self {
    case .response: true
    case .failure(_, let mayHaveBeenProcessed, _): mayHaveBeenProcessed
    case .unsent: false
    }
  }

  /// Whether another attempt would transfer a large part again, or reach the same limit again.
  var isPartlyTransferred: Bool {
    switch self {
    case .response, .unsent: false
    case .failure(.timeout(.whole), _, let progress): progress.sentBytes + progress.receivedBytes > 0
    case .failure(_, _, let progress): progress.receivedBytes > RetryPolicy.maximumRepeatedBytes
    }
  }

  /// Whether the server responded.
  var isResponse: Bool { if case .response = self { true } else { false } }

  /// Whether there was no network, so that the outcome does not concern the origin.
  var isOffline: Bool {
    switch self {
    case .failure(.offline, _, _), .unsent(.offline): true
    case .failure, .unsent, .response: false
    }
  }
}

extension AttemptOutcome {
  /// Creates the outcome of an attempt that ended with a response.
  ///
  /// If a cache returned a stored response in place of a failure, it is that of the failure.
  init(_ response: Response, now: WallTime) {
    switch response.replacedFailure {
    case .error(let error): self.init(error)
    case .response(let head): self.init(head, now: now)
    case nil: self.init(response.head, now: now)
    }
  }

  private init(_ head: HTTPResponse, now: WallTime) {
    let wait = RetryAfter.wait(in: head.headerFields, now: now)
    self = .response(status: head.status.code, retryAfter: wait)
  }

  /// Creates the outcome of an attempt that failed.
  init(_ error: NetworkError) {
    self =
      error.preventedDeparture
      ? .unsent(error.kind)
      : .failure(
        error.kind, mayHaveBeenProcessed: error.requestMayHaveBeenProcessed, progress: error.progress)
  }
}
