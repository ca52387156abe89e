public import Interception

/// The error of a response that could not be decoded: its status, its content type, or its content.
///
/// The reason names the field at fault and never repeats the content.
public struct BodyDecodingError: Error, LoggableError, Sendable {
  /// What is wrong; cases are added in major versions only.
  public enum Kind: Sendable, Hashable {
    /// The status is not 2xx; ``BodyDecodingError/response`` has the body.
    case status(Int)
    /// The content type is one that the decoder cannot read.
    case contentType
    /// The content is in a content coding that nothing in the chain has decoded: add
    /// `CompressionInterceptor`.
    case contentCoding
    /// There is no content.
    case empty
    /// The content is longer than this many bytes.
    case tooLarge(limit: Int)
    /// The content is truncated or otherwise not of the decoder's format.
    case malformed
    /// More arrays and objects are nested than allowed.
    case tooDeep(limit: Int)
    /// An object has the same key twice.
    case duplicateKey
    /// A required field is missing.
    case missing
    /// A field has another type or a value that its type does not allow.
    case mismatch
    /// The stream of the body ended early; ``BodyDecodingError/underlying`` is its `NetworkError`.
    case unread
    /// The decoder threw an error of another type, which is ``BodyDecodingError/underlying``.
    case undecodable
  }

  /// What is wrong.
  public let kind: Kind
  /// The path to the field at fault, such as `items[3].price`; nil for the content as a whole.
  ///
  /// Of a long path only the end is shown.
  public let field: String?
  /// A sentence that says what was expected and what was found.
  public let reason: String
  /// The response with at most 64 KiB of its body; nil if the content was not that of a response.
  public let response: Response?
  /// The error of a stream or of a decoder, if it caused this one.
  public let underlying: (any Error)?
  /// The offset of the byte at fault, or of the value at fault, in the content; nil if it isn't known.
  package let offset: Int?

  /// Creates an error, for use in a ``BodyDecoder``.
  public init(_ kind: Kind, field: String? = nil, _ reason: String) {
    self.init(kind, field: field, reason, at: nil)
  }

  /// Creates an error with the offset of the fault in the content.
  init(_ kind: Kind, field: String? = nil, _ reason: String, at offset: Int?) {
    self.init(kind, field: field, reason, response: nil, underlying: nil, offset: offset)
  }

  init(
    _ kind: Kind, field: String? = nil, _ reason: String, response: Response?, underlying: (any Error)?,
    offset: Int? = nil
  ) {
    self.kind = kind
    self.field = field
    self.reason = reason
    self.response = response
    self.underlying = underlying
    self.offset = offset
  }

  func with(_ response: Response) -> BodyDecodingError {
    BodyDecodingError(
      kind, field: field, reason, response: response, underlying: underlying, offset: offset)
  }
}

extension BodyDecodingError: CustomStringConvertible {
  /// The reason; then, in brackets, the request without its query, the number of its attempts, and why it
  /// was not sent again, as far as they are known.
  ///
  /// The request is known of a response to `Dispatcher.get` and the functions beside it, and usually of one
  /// to `Pipeline.send`.
  public var description: String { reason + (response?.requestNote ?? "") }
}
