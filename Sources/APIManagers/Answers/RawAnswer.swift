public import HTTPTypes
public import Interception

/// An answer as it came: bytes, status and header fields, and how it came about.
public struct RawAnswer: Sendable, Hashable {
  /// The API that was asked.
  public let api: APIIdentity
  /// The request that it answers.
  public let request: RequestID
  /// The status.
  public let status: HTTPResponse.Status
  /// The header fields.
  public let headerFields: HTTPFields
  /// The content, decoded of its coding.
  public let bytes: [UInt8]
  /// Attempts, cache and transport.
  public let exchange: Exchange

  /// Makes an answer; tests of reformers and validators need no network.
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

  /// The content as text; nil where it isn't UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }

  /// Whether the content came from a cache.
  public var isFromCache: Bool { exchange.cache?.isHit ?? false }
}

extension RawAnswer {
  /// Returns the answer as a reformer shows it.
  ///
  /// - Throws: ``APIFailure/Kind/malformed(field:)`` when the reformer could make nothing of it.
  public func reformed<R: Reformer>(
    by reformer: R, from manager: ManagerIdentity
  ) throws(APIFailure) -> R.Output {
    do {
      return try reformer.reform(self, from: manager)
    } catch let failure as APIFailure {
      throw failure
    } catch let fault as MalformedAnswer {
      throw APIFailure(
        .malformed(field: fault.field), manager.api, reason: fault.reason, request: request, answer: self)
    } catch {
      throw APIFailure(
        .malformed(field: nil), manager.api, reason: "\(R.self) made nothing of the answer: \(error).",
        request: request, answer: self, underlying: error)
    }
  }
}
