public import HTTPTypes
public import Interception
import Synchronization

/// A complete stored response: one variant for its key.
public final class StoredResponse: Sendable {
  /// The key.
  public let key: CacheKey
  /// The requests for which the response may be used.
  public let selector: VariantSelector
  /// The status and the header fields, without those of the connection.
  public let head: HTTPResponse
  /// The content, decoded if the dispatcher decoded it.
  public let body: [UInt8]
  /// The trailer fields.
  public let trailers: HTTPFields?
  /// How long the response may be used.
  public let freshness: Freshness
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
    freshness: Freshness, tags: Set<CacheRule.Tag> = [], isInMemoryOnly: Bool = false
  ) {
    self.key = key
    self.selector = selector
    self.head = head
    hasAge = head.headerFields.contains(.age)
    self.body = body
    self.trailers = trailers
    self.freshness = freshness
    self.tags = tags
    self.isInMemoryOnly = isInMemoryOnly
    let fields = Self.size(of: head.headerFields) + (trailers.map(Self.size) ?? 0)
    size = body.count + fields + Self.size(of: tags) + key.preimage.count + key.subject.target.count + 512
  }

  /// The validators for a conditional request; nil if the server sent none.
  var validators: Validators? { Validators(head.headerFields) }

  /// Returns the response for a caller, with its `Age`.
  func response(age: Duration?, exchange: Exchange) -> Response {
    var head = head
    if let age { head.headerFields = fields(age: max(0, age.components.seconds)) }
    return Response(head, body: .bytes(body), trailers: trailers, exchange: exchange)
  }

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
