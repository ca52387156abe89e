import HTTPTypes
import Interception

/// The part of an attempt's outcome that determines whether the request is sent again.
enum AttemptOutcome: Sendable, Hashable {
  /// A response, with the wait that its `Retry-After` field asks for.
  case response(status: Int, retryAfter: Duration?)
  /// An error, and whether the server may have processed the request.
  case failure(NetworkError.Kind, mayHaveBeenProcessed: Bool)

  /// Whether the server may have processed the request.
  var mayHaveBeenProcessed: Bool {
    switch self {
    case .response: true
    case .failure(_, let mayHaveBeenProcessed): mayHaveBeenProcessed
    }
  }

  /// Whether the server responded.
  var isResponse: Bool { if case .response = self { true } else { false } }

  /// Whether there was no network, so that the outcome does not concern the origin.
  var isOffline: Bool { if case .failure(.offline, _) = self { true } else { false } }
}

extension AttemptOutcome {
  /// Creates the outcome of an attempt that ended with a response.
  init(_ response: Response, now: WallTime) {
    let fields = response.head.headerFields
    let wait = RetryAfter.wait(
      fields.value(of: .retryAfter), date: fields.value(of: .date), now: now)
    self = .response(status: response.status.code, retryAfter: wait)
  }

  /// Creates the outcome of an attempt that failed.
  init(_ error: NetworkError) {
    self = .failure(error.kind, mayHaveBeenProcessed: error.requestMayHaveBeenProcessed)
  }
}
