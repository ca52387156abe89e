public import HTTPTypes
import Interception
import Synchronization

/// A complete answer as it is kept: one variant of what its key stands for.
public final class StoredResponse: Sendable {
  /// What it is filed under.
  public let key: CacheKey
  /// Which requests of that key it answers.
  public let selector: VariantSelector
  /// Status and header fields, without those that concern one connection only.
  public let head: HTTPResponse
  /// The content, decoded if the dispatcher decoded it.
  public let body: [UInt8]
  /// The fields after the content.
  public let trailers: HTTPFields?
  /// How long it may be used.
  public let freshness: Freshness
  /// The bytes it is counted as: content, header fields, key, and 512 for the book-keeping.
  public let size: Int

  private let hasAge: Bool
  // What is asked for often is asked for more than once a second, and differs from the former hit in nothing.
  private let lastAged = Mutex<(age: Int64, fields: HTTPFields)?>(nil)

  init(
    key: CacheKey, selector: VariantSelector, head: HTTPResponse, body: [UInt8], trailers: HTTPFields?,
    freshness: Freshness
  ) {
    self.key = key
    self.selector = selector
    self.head = head
    hasAge = head.headerFields.contains(.age)
    self.body = body
    self.trailers = trailers
    self.freshness = freshness
    let fields = Self.size(of: head.headerFields) + (trailers.map(Self.size) ?? 0)
    size = body.count + fields + key.preimage.count + key.subject.target.count + 512
  }

  /// What makes the server confirm the answer instead of sending it again; nil where it stated neither.
  var validators: (entityTag: String?, lastModified: String?)? {
    let validators = (head.headerFields[.eTag], head.headerFields[.lastModified])
    return validators == (nil, nil) ? nil : validators
  }

  /// The answer as it is given to a caller, with its `Age`.
  func response(age: Duration?, exchange: Exchange) -> Response {
    var head = head
    if let age { head.headerFields = fields(age: max(0, age.components.seconds)) }
    return Response(head, body: .bytes(body), trailers: trailers, exchange: exchange)
  }

  /// The header fields with an `Age` of so many seconds.
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

  /// About what an array of fields takes: the text, and the field's own 48 bytes.
  private static func size(of fields: HTTPFields) -> Int {
    fields.reduce(0) { $0 + $1.name.canonicalName.utf8.count + $1.value.utf8.count + 48 }
  }
}
