import HTTPTypes
import Interception

extension CachingInterceptor {
  /// Responds to a request with conditions from a fresh stored response (RFC 9111, section 4.3.2).
  ///
  /// - Returns: The stored response, or a 304; nil if there is none that may be used.
  func evaluated(
    _ request: Request, _ key: CacheKey, _ constraints: CachePlan.Constraints, _ rule: CacheRule
  ) async -> Response? {
    guard rule.mode != .reload, let conditions = RequestConditions(request.head.headerFields),
      let stored = await storage.lookup(key, requestFields: request.head.headerFields).response,
      stored.head.status == .ok
    else { return nil }
    let now = clock.now()
    let decision = CacheDecision(
      stored: stored, rule: rule, constraints: constraints, sharing: sharing, now: now)
    guard case .use(_, let ttl, refreshes: false) = decision, ttl >= 0 else { return nil }
    recorder?.recordHit(stored, at: now)
    var response = stored.response(age: stored.freshness.age(at: now), cache: stored.hit(ttl: ttl))
    guard conditions.areUnchanged(stored) else { return response }
    response = Response(
      stored: response.head.confirmation, body: [], trailers: nil, cache: response.cacheStatus)
    return response
  }
}

/// The conditions of a request that asks whether what it has is current (RFC 9110, section 13.1).
struct RequestConditions: Sendable {
  /// The entity tags of `If-None-Match`; nil if there is no such field.
  private let tags: [ArraySlice<UInt8>]?
  /// The date of `If-Modified-Since`; nil if there is none, or an invalid one.
  private let date: WallTime?

  /// Reads the conditions; nil for others, which a cache doesn't evaluate.
  init?(_ fields: HTTPFields) {
    guard !fields.contains(.ifMatch), !fields.contains(.ifUnmodifiedSince) else { return nil }
    date = fields.singleValue(.ifModifiedSince).flatMap { HTTPDate.parse($0) }
    guard fields.contains(.ifNoneMatch) else {
      guard date != nil else { return nil }
      tags = nil
      return
    }
    var tags: [ArraySlice<UInt8>] = []
    for field in fields where field.name == .ifNoneMatch {
      let members = FieldList.parts(of: field.bytes[...], at: UInt8(ascii: ","))
      guard members.isComplete else { return nil }
      tags += members.parts.filter { !$0.isEmpty }
    }
    self.tags = tags
  }

  /// Whether the client has the stored response, by a weak comparison of tags, or else by its date.
  func areUnchanged(_ stored: StoredResponse) -> Bool {
    if let tags {
      let tag = stored.head.headerFields[text: .eTag]?.bytes
      return tags.contains { wanted in
        wanted.elementsEqual("*".utf8) || tag.map { Self.opaque(wanted) == Self.opaque($0[...]) } ?? false
      }
    }
    let received = stored.freshness.received.wall
    let fields = stored.head.headerFields
    let modified = (fields.singleValue(.lastModified) ?? fields.singleValue(.date)).map {
      HTTPDate.parse($0, now: received)
    }
    guard let date, let modified = modified ?? received else { return false }
    return modified <= date
  }

  private static func opaque(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    tag.starts(with: "W/".utf8) ? tag.dropFirst(2) : tag
  }
}

extension HTTPResponse {
  /// The fields that a 304 has of the response that it confirms (RFC 9110, section 15.4.5).
  private static let confirming: Set<HTTPField.Name> = [
    .cacheControl, .contentLocation, .date, .eTag, .expires, .vary, .age,
  ]

  /// The 304 that confirms this response.
  fileprivate var confirmation: HTTPResponse {
    let hasTag = headerFields.contains(.eTag)
    let fields = headerFields.filter {
      Self.confirming.contains($0.name) || !hasTag && $0.name == .lastModified
    }
    return HTTPResponse(status: .notModified, headerFields: HTTPFields(fields))
  }
}
