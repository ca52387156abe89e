import HTTPServing
package import HTTPTypes

/// An error of the API: a status, a code for programs and a sentence for people.
package struct APIError: Error, Sendable, Equatable {
  package let status: HTTPResponse.Status
  /// The code, which programs may compare; it does not change.
  package let code: String
  /// A sentence for people, which may change.
  package let message: String
  package let fields: HTTPFields

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String, fields: HTTPFields = [:]) {
    self.status = status
    self.code = code
    self.message = message
    self.fields = fields
  }

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

  /// The answer that reports the error: `{"error":{"code":"…","message":"…"}}`.
  func answer() throws -> Answer {
    try Answer.json(["error": ["code": code, "message": message]], status: status, fields: fields)
  }

  static func badParameter(_ message: String) -> APIError { APIError(.badRequest, "bad_parameter", message) }

  static func badBody(_ message: String) -> APIError { APIError(.badRequest, "bad_body", message) }

  /// The error for a request that no route matches.
  static func notFound(_ request: ReceivedRequest) -> APIError {
    let target = "\(request.head.method.rawValue) \(request.path.prefix(120))"
    return APIError(.notFound, "not_found", "There is nothing at \(target).")
  }

  static func unknownHome(_ id: String, count: Int) -> APIError {
    APIError(.notFound, "unknown_home", "There is no home '\(id.prefix(40))'; ids run from 1 to \(count).")
  }

  static let bodyTooLarge = APIError(
    .contentTooLarge, "body_too_large",
    "The body has more than \(BodyLimits.encoded) bytes as sent or \(BodyLimits.decoded) bytes decoded.")

  static let internalFault = APIError(
    .internalServerError, "internal_error", "The server failed; its log says why.")
}
