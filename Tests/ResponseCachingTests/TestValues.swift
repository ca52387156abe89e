import HTTPTypes
import Interception
import Testing

@testable import ResponseCaching

extension StoredResponse {
  /// A stored response with a lifetime of 60 s, received when both clocks were at their start.
  static func stored(
    under key: CacheKey, body: [UInt8] = [], fields: HTTPFields = [:], requestFields: HTTPFields = [:],
    lifetime: Duration = .seconds(60)
  ) throws -> StoredResponse {
    let head = HTTPResponse(status: .ok, headerFields: fields)
    return StoredResponse(
      key: key,
      selector: try #require(VariantSelector(of: head, to: requestFields, leavingOut: .standard)), head: head,
      body: body, trailers: nil,
      freshness: Freshness(
        received: CacheInstant(wall: CacheFixture.start, steady: .zero), initialAge: .zero, lifetime: lifetime
      ))
  }

  static func stored(path: String, body: [UInt8] = [], lifetime: Duration = .seconds(60)) throws
    -> StoredResponse
  {
    try stored(
      under: try #require(CacheKey(.houses(path), leavingOut: .standard)), body: body, lifetime: lifetime)
  }
}
