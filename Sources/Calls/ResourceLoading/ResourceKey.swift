import HTTPTypes
import Interception

/// What two loads must have in common to share a transfer and a decoded value.
///
/// It is the URL, the header fields, the account and the login, the API, the cache rule, and the values of
/// custom context keys. The time limits and the priority may differ: the first request's are used.
struct ResourceKey: Sendable {
  /// The request, identified by the pipeline that it is for.
  let request: Request
  private let origin: RequestOrigin
  private let path: String
  private let fields: HTTPFields
  private let partition: String
  private var rule: CacheRule
  /// Unique for a request on behalf of an account that is not known, which shares nothing; 0 for others.
  private let number: UInt64

  /// Creates the key of a request.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` if the response could not be the whole resource, or if
  ///   requests can't be compared.
  init(_ request: Request) throws(NetworkError) {
    try Self.check(request)
    self.request = request
    // Read once, because reading it copies it.
    let head = request.head
    origin = RequestOrigin(head)
    path = head.path ?? ""
    fields = head.headerFields
    partition = request.context.partition
    rule = request.context.cacheRule
    number = request.hasUnknownIdentity ? Request.Identity.newNumber() : 0
  }

  /// The key by which the decoded value is kept; nil if it must not be kept.
  var kept: ResourceKey? {
    guard number == 0, rule.isInherited || rule.limit != nil, rule.mode != .noStore else { return nil }
    var key = self
    key.rule.mode = .useFresh
    return key
  }

  /// Whether a decoded value can answer the request, which doesn't ask for the server's present one.
  var acceptsDecoded: Bool { rule.mode != .reload && rule.mode != .revalidate }

  /// About the number of bytes that the key takes in a collection.
  var cost: Int { 512 + path.utf8.count }

  private static func check(_ request: Request) throws(NetworkError) {
    let head = request.head
    guard head.method == .get, request.body.isEmpty, !request.hasTrailers, !request.asksForUpgrade else {
      throw NetworkError(
        .invalidRequest,
        "A resource is requested by a GET without content; send this request with a dispatcher.")
    }
    for name in partialNames where head.headerFields.contains(name) {
      throw NetworkError(
        .invalidRequest,
        "A resource is requested whole and without a condition; remove \"\(name.rawName)\" from the request.")
    }
    guard request.context.hasSameCustomValues(as: request.context) else {
      throw NetworkError(
        .invalidRequest,
        "The request's context has a value that isn't equal to itself, so that loads can't be compared; make "
          + "the values of its keys Equatable.")
    }
  }

  private static let partialNames: [HTTPField.Name] = [
    .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
  ]
}

extension ResourceKey: Hashable {
  static func == (left: ResourceKey, right: ResourceKey) -> Bool {
    guard left.path == right.path, left.number == right.number, left.partition == right.partition,
      left.origin == right.origin, left.rule == right.rule
    else { return false }
    if left.request.isCopy(of: right.request) { return true }
    return left.request.identity == right.request.identity && left.request.api == right.request.api
      && left.fields.haveValues(of: right.fields)
      && left.request.context.hasSameCustomValues(as: right.request.context)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(origin)
    hasher.combine(partition)
    hasher.combine(number)
  }
}

/// A resource at a size.
struct ResourceVariant: Sendable, Hashable {
  let key: ResourceKey
  /// The size at which the value is shown; nil for the resource's own.
  let size: PixelSize?
}
