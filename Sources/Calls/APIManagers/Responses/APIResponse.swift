public import BodyFormats
public import HTTPTypes
public import Interception

/// An API's response as received: status, header fields, content, and a report of how it was obtained.
public struct APIResponse: Sendable, Hashable {
  /// The API that was called.
  public let api: APIIdentity
  /// The request's ID.
  public let request: RequestID
  /// The status.
  public let status: HTTPResponse.Status
  /// The header fields.
  public let headerFields: HTTPFields
  /// The content; still in its content coding if `headerFields` have one.
  public let bytes: [UInt8]
  /// The attempts, the cache status and the transport's report.
  public let exchange: Exchange

  /// Creates a response, for example to test reformers and validators without a network.
  public init(
    api: APIIdentity, request: RequestID? = nil, status: HTTPResponse.Status = .ok,
    headerFields: HTTPFields = [:], bytes: [UInt8], exchange: Exchange = Exchange()
  ) {
    self.api = api
    self.request = request ?? .next()
    self.status = status
    self.headerFields = headerFields
    self.bytes = bytes
    self.exchange = exchange
  }

  /// The content as text, or nil if it is not valid UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }

  /// Whether the content came from a cache.
  public var isFromCache: Bool { exchange.cache?.isHit ?? false }

  /// How current the content was when it was received.
  var currency: ResponseCurrency { ResponseCurrency(headerFields, exchange.cache) }
}

extension APIResponse: CustomStringConvertible, CustomReflectable {
  /// The API, the status, the media type and the size; never the content, nor another header field.
  public var description: String {
    let head = HTTPResponse(status: status, headerFields: headerFields)
    return "\(api): \(Response(head, body: .bytes(bytes), exchange: exchange))"
  }

  /// A mirror without the content and the header fields.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension APIResponse {
  /// Returns the response converted by a reformer.
  ///
  /// - Throws: ``APIError/Kind/malformed(field:)`` if the reformer throws an error, unless that is an
  ///   ``APIError``.
  public func reformed<R: Reformer>(
    by reformer: R, from manager: ManagerIdentity
  ) throws(APIError) -> R.Output {
    do {
      return try reformer.reform(self, from: manager)
    } catch {
      throw APIError(readingOf: self, by: R.self, error)
    }
  }
}

extension APIResponse {
  /// Decodes the content from JSON, for use in reformers and validators.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - format: The format of keys and dates, and what is refused; by default the type's coding keys, RFC
  ///     3339, at most 128 arrays and objects within each other, and no key twice in an object.
  /// - Throws: A `BodyDecodingError` that names the field, and what was expected and found there. It never
  ///   includes a value.
  public func json<Value: Decodable>(
    as type: Value.Type = Value.self, format: JSONCoding = JSONCoding()
  ) throws(BodyDecodingError) -> Value {
    try checkCoding()
    do {
      return try format.decoded(type, from: bytes)
    } catch {
      throw explained(error)
    }
  }

  private func checkCoding() throws(BodyDecodingError) {
    guard let reason = headerFields.undecodedContentReason else { return }
    throw BodyDecodingError(.contentCoding, reason)
  }

  /// Returns the error of content that is no JSON with what the response says of itself, which tells the page
  /// of a network's login or of a proxy.
  private func explained(_ error: BodyDecodingError) -> BodyDecodingError {
    switch error.kind {
    case .empty:
      return BodyDecodingError(
        .empty, "The response should be JSON, but it has no content (status \(status.code)).")
    case .malformed:
      let type =
        headerFields.mediaType.map {
          "its Content-Type is \(Response.printable(MediaTypeSyntax.essence(of: $0)))"
        } ?? "it has no Content-Type"
      return BodyDecodingError(.malformed, "\(error.reason.dropLast()); \(type).")
    default: return error
    }
  }
}
