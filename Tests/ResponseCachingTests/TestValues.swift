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

/// A seeded random number generator, so that failures can be reproduced.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
