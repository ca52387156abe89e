import HTTPServing
import HTTPTypes

extension APIError {
  /// The error to answer with when handling a request threw; `internalFault` for an error that is not
  /// expected.
  init(thrown error: any Error) {
    switch error {
    case let error as APIError: self = error
    case is CancellationError:
      self.init(.serviceUnavailable, "stopping", "The server stopped or the client left before the answer.")
    default: self = .internalFault
    }
  }

  /// The error for a request that no route matches.
  static func notFound(_ request: ReceivedRequest) -> APIError {
    .notFound("\(request.head.method.rawValue) \(request.path.prefix(120))")
  }
}
