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
  /// The content, with its content coding removed.
  public let bytes: [UInt8]
  /// The attempts, the cache status and the transport's report.
  public let exchange: Exchange

  /// Creates a response, for example to test reformers and validators without a network.
  public init(
    api: APIIdentity, request: RequestID = .next(), status: HTTPResponse.Status = .ok,
    headerFields: HTTPFields = [:], bytes: [UInt8], exchange: Exchange = Exchange()
  ) {
    self.api = api
    self.request = request
    self.status = status
    self.headerFields = headerFields
    self.bytes = bytes
    self.exchange = exchange
  }

  /// The content as text, or nil if it is not valid UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }

  /// Whether the content came from a cache.
  public var isFromCache: Bool { exchange.cache?.isHit ?? false }
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
