public import HTTPTypes

/// An error of the API: a status, a code for programs and a sentence for people.
public struct APIError: Error, Sendable, Equatable {
  /// The status of the response.
  public let status: HTTPResponse.Status
  /// The code, which programs may compare; it does not change.
  public let code: String
  /// A sentence for people, which may change.
  public let message: String
  /// Additional fields of the response.
  public let fields: HTTPFields

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String, fields: HTTPFields = [:]) {
    self.status = status
    self.code = code
    self.message = message
    self.fields = fields
  }

  static func badParameter(_ message: String) -> APIError {
    APIError(.badRequest, "bad_parameter", message)
  }

  static func badBody(_ message: String) -> APIError {
    APIError(.badRequest, "bad_body", message)
  }

  static func notFound(_ target: String) -> APIError {
    APIError(.notFound, "not_found", "There is nothing at \(target).")
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
