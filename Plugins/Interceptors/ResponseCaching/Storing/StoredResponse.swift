package import HTTPTypes
public import Interception
import Synchronization

/// A stored response, or part of one: one variant for its key.
///
/// A part has the status 206, and is never used for a request without a `Range`.
public final class StoredResponse: Sendable {
  /// The key.
  public let key: CacheKey
  /// The requests for which the response may be used.
  public let selector: VariantSelector
  /// The status and the header fields, without those of the connection.
  package let head: HTTPResponse
  /// The content, decoded if the dispatcher decoded it; empty if it is left in the store.
  package let body: [UInt8]
  /// The content, if it is left in the store; see ``RangeReadingStore``.
  let outlyingBody: OutlyingBody?
  /// Whether this is part of a response.
  let isPart: Bool
  /// The trailer fields.
  package let trailers: HTTPFields?
  /// How long the response may be used.
  package let freshness: Freshness
  /// The data in the response, by which it can be removed.
  public let tags: Set<CacheRule.Tag>
  /// Whether the response is sensitive: a store that writes to a disk must decline it.
  public let isInMemoryOnly: Bool
  /// The size used for limits, in bytes: body, header fields, tags, key, and 512 bytes of
  /// overhead.
  public let size: Int

  private let hasAge: Bool
  // Frequent hits occur more than once per second, with identical fields.
  private let lastAged = Mutex<(age: Int64, fields: HTTPFields)?>(nil)

  init(
    key: CacheKey, selector: VariantSelector, head: HTTPResponse, body: [UInt8], trailers: HTTPFields?,
    freshness: Freshness, tags: Set<CacheRule.Tag> = [], isInMemoryOnly: Bool = false,
    outlyingBody: OutlyingBody? = nil
  ) {
    self.key = key
    self.selector = selector
    self.head = head
    hasAge = head.headerFields.contains(.age)
    self.body = body
    self.outlyingBody = outlyingBody
    isPart = head.status == .partialContent
    self.trailers = trailers
    self.freshness = freshness
    self.tags = tags
    self.isInMemoryOnly = isInMemoryOnly
    let fields = Self.size(of: head.headerFields) + (trailers.map(Self.size) ?? 0)
    size =
      (outlyingBody?.count ?? body.count) + fields + Self.size(of: tags) + key.preimage.count
      + key.subject.target.count + 512
  }

  /// The validators for a conditional request; nil if the server sent none.
  var validators: Validators? { Validators(head.headerFields) }

  /// Returns the response for a caller, with its `Age`.
  func response(age: Duration?, cache: Exchange.CacheStatus? = nil) -> Response {
    var head = head
    if let age { head.headerFields = fields(age: max(0, age.components.seconds)) }
    return Response(stored: head, body: body, trailers: trailers, cache: cache)
  }

  /// Returns the status of a hit of this response, which remains fresh for `ttl` seconds.
  func hit(ttl: Int64) -> Exchange.CacheStatus { .hit(ttl: ttl, isHeuristic: freshness.isHeuristic) }

  /// Returns the header fields with an `Age` in seconds.
  private func fields(age: Int64) -> HTTPFields {
    let known: HTTPFields? = lastAged.withLock { last in
      guard let last, last.age == age else { return nil }
      return last.fields
    }
    if let known { return known }
    var fields = head.headerFields
    if hasAge {
      fields[.age] = String(age)
    } else {
      fields.append(HTTPField(name: .age, value: String(age)))
    }
    lastAged.withLock { $0 = (age, fields) }
    return fields
  }

  /// The approximate size of tags: the text, and 48 bytes per tag.
  private static func size(of tags: Set<CacheRule.Tag>) -> Int {
    tags.reduce(0) { $0 + $1.name.utf8.count + 48 }
  }

  /// The approximate size of header fields: the text, and 48 bytes per field.
  private static func size(of fields: HTTPFields) -> Int {
    fields.reduce(0) { $0 + $1.name.canonicalName.utf8.count + $1.value.utf8.count + 48 }
  }
}

extension StoredResponse {
  /// Whether the server created this response before another one (RFC 9111, section 4).
  ///
  /// A response that arrives late must not replace a newer one, and of several that match a request the most
  /// recent one is used. The `Date` fields decide, in seconds; without one, the arrival less the age. If only
  /// one of them is later than its arrival, the clock of that server is wrong, and the arrival counts.
  ///
  /// Call it on the response that arrived last.
  public func isOlder(than other: StoredResponse) -> Bool {
    let (created, otherCreated) = (self.created, other.created)
    let (arrival, otherArrival) = (freshness.received.wall.seconds, other.freshness.received.wall.seconds)
    // This one has just arrived, so the clock was set back since; the other one may be of any age.
    guard arrival >= otherArrival - Self.maximumDelay else { return false }
    switch (created > arrival, otherCreated > otherArrival) {
    case (true, false): return arrival < otherCreated
    case (false, true): return created < otherArrival
    case (true, true), (false, false): return created < otherCreated
    }
  }

  /// Returns how much longer a store keeps this response; negative if it is to be removed.
  ///
  /// A response is kept until it has been stale for `stale`, or for the longer time for which it permits its
  /// use while it is revalidated (RFC 5861, section 3). One that is stale when it arrives counts as stale
  /// from then on. If the wall clock was set back to before the arrival, the result is the whole time.
  ///
  /// - Parameters:
  ///   - now: A moment that the cache has passed to ``ResponseStore/store(_:requestFields:at:)``.
  ///   - stale: How long the store keeps stale responses, for their revalidation.
  public func remaining(at now: CacheInstant, staleFor stale: Duration) -> Duration {
    let elapsed = freshness.received.elapsed(to: now) ?? .zero
    return max(freshness.lifetime, .zero) + max(stale, freshness.staleWindow) - elapsed
  }

  /// The maximum time between the arrival of a response and its storing, in seconds.
  private static let maximumDelay: Int64 = 60

  /// The time of creation in seconds since 1970.
  private var created: Int64 {
    let received = freshness.received.wall
    let date = head.headerFields.singleValue(.date).flatMap { HTTPDate.parse($0, now: received) }
    return (date ?? received.advanced(by: .zero - freshness.initialAge)).seconds
  }
}

extension StoredResponse {
  /// The directives of the response as a kind of cache applies them; parsed on each access.
  func control(for sharing: CacheSharing) -> CacheControl {
    CacheControl(head.headerFields.value(of: .cacheControl)).applied(to: sharing)
  }
}

extension HTTPFields {
  private static let ofTheStoredContent: Set<String> = [
    "content-length", "content-encoding", "content-type", "content-range",
  ]

  /// Returns the fields that may be stored, without those of the connection and those listed in `Connection`
  /// (RFC 9111, section 3.1).
  ///
  /// - Parameter excluded: The names of further fields to leave out, in lower case.
  func storable(without excluded: [String] = []) -> HTTPFields {
    let unstorable = members(of: .connection).map { $0.lowercased() } + excluded
    var fields = self
    fields.removeAll { field in
      let name = field.name.canonicalName
      return Self.belongsToConnection(name) || unstorable.contains(name)
    }
    return fields
  }

  /// Whether a field is the connection's by its name in lower case; the first letter rules out most names.
  private static func belongsToConnection(_ name: String) -> Bool {
    switch name.utf8.first {
    case UInt8(ascii: "c"): name == "connection"
    case UInt8(ascii: "k"): name == "keep-alive"
    case UInt8(ascii: "p"):
      name == "proxy-connection" || name == "proxy-authenticate" || name == "proxy-authentication-info"
        || name == "proxy-authorization"
    case UInt8(ascii: "t"): name == "te" || name == "transfer-encoding"
    case UInt8(ascii: "u"): name == "upgrade"
    default: false
    }
  }

  /// Returns stored fields updated by those of a 304 (RFC 9111, section 3.2).
  ///
  /// The fields that describe the stored content are kept, and a stored `Age` is removed. A 304 without a
  /// `Date` was created when it was received (RFC 9110, section 6.6.1).
  func updated(by confirmation: HTTPFields, received: WallTime) -> HTTPFields {
    let news = confirmation.storable().filter { !Self.ofTheStoredContent.contains($0.name.canonicalName) }
    let replaced = Set(news.map(\.name.canonicalName)).union(["age"])
    var fields = HTTPFields(filter { !replaced.contains($0.name.canonicalName) } + news)
    if !replaced.contains("date"), fields.contains(.date) { fields[.date] = HTTPDate.format(received) }
    return fields
  }
}
