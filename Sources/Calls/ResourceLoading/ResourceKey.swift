import HTTPTypes
import Interception

/// What two loads must have in common to share a transfer and a decoded value.
///
/// It is the URL, the header fields, the account and the login, the API, the cache rule, the limit of bytes,
/// and the values of custom context keys. The time limits and the priority may differ: the first request's
/// are used. It has none of the request's values whose comparison or end is the code of others.
struct ResourceKey: Sendable {
  private let parts: Parts
  private let mode: CacheRule.Mode
  /// The maximum length of the resource as it is transferred: the request's own limit or that of the loader.
  let byteLimit: Int

  /// Creates the key of a request, identified by the pipeline that it is for.
  ///
  /// - Parameter contexts: The loader's numbers of custom context values.
  /// - Throws: `NetworkError.Kind.invalidRequest` if the response could not be the whole resource, or if
  ///   requests can't be compared.
  init(
    _ request: Request, within limits: ResourceLimits, among contexts: ContextNumbers
  ) throws(NetworkError) {
    try Self.check(request)
    mode = request.context.cacheRule.mode
    let own =
      switch request.delivery {
      case .buffered(let limit): limit
      case .streamed: Int(clamping: request.options.streamLimit ?? .max)
      }
    byteLimit = max(0, min(own, limits.encodedBytes))
    parts = Parts(request, context: contexts.number(of: request.context))
  }

  private init(_ parts: Parts) {
    self.parts = parts
    mode = .useFresh
    byteLimit = .max
  }

  /// The key by which the decoded value is kept, whatever the mode and the limit of bytes; nil if it must not
  /// be kept.
  var kept: ResourceKey? {
    let rule = parts.rule
    guard parts.number == 0, rule.isInherited || rule.limit != nil, mode != .noStore else { return nil }
    return ResourceKey(parts)
  }

  /// Whether a decoded value can answer the request, which doesn't ask for the server's present one.
  var acceptsDecoded: Bool { mode != .reload && mode != .revalidate }

  /// About the number of bytes that the key takes in a collection.
  var cost: Int { parts.cost }

  /// The path and the query.
  var path: String { parts.path }

  private static func check(_ request: Request) throws(NetworkError) {
    let head = request.head
    if let obstacle = request.obstacle(to: .joining) ?? request.obstacle(to: .caching) {
      throw NetworkError(
        .invalidRequest,
        "A resource is shared and kept, but the request \(obstacle.clause); send it with a dispatcher.")
    }
    guard head.method == .get, request.body.isEmpty else {
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
    left.mode == right.mode && left.byteLimit == right.byteLimit
      && (left.parts === right.parts || left.parts == right.parts)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(parts.digest)
    hasher.combine(mode)
    hasher.combine(byteLimit)
  }
}

extension ResourceKey {
  /// What is the same for all modes and limits; an object, because collections have several copies of a key.
  private final class Parts: Sendable {
    let origin: RequestOrigin
    let path: String
    let fields: HTTPFields
    let partition: String
    let identity: Request.Identity?
    let api: APIIdentity?
    /// The cache rule with the default mode.
    let rule: CacheRule
    /// The number of the custom context values.
    let context: UInt64
    /// Unique for a request on behalf of an account that is not known, which shares nothing; 0 for others.
    let number: UInt64
    /// A hash of all parts, in which the order of fields doesn't matter.
    let digest: Int
    let cost: Int

    init(_ request: Request, context: UInt64) {
      // Read once, because reading it copies it.
      let head = request.head
      origin = RequestOrigin(head)
      path = head.path ?? ""
      fields = head.headerFields
      partition = request.context.partition
      identity = request.identity
      api = request.context.api
      rule = request.context.cacheRule.with(.useFresh)
      self.context = context
      number = request.hasUnknownIdentity ? Request.Identity.newNumber() : 0

      var sum = 0
      var cost = 512 + path.utf8.count + partition.utf8.count + origin.description.utf8.count
      for field in fields {
        let (name, bytes) = (field.name.canonicalName, field.bytes)
        var hasher = Hasher()
        hasher.combine(name)
        hasher.combine(bytes)
        sum &+= hasher.finalize()
        // Besides their bytes, names and values have objects of their own.
        cost += 64 + name.utf8.count + bytes.count
      }
      self.cost = cost
      var hasher = Hasher()
      hasher.combine(origin)
      hasher.combine(path)
      hasher.combine(sum)
      hasher.combine(partition)
      hasher.combine(identity)
      hasher.combine(api)
      hasher.combine(rule)
      hasher.combine(context)
      hasher.combine(number)
      digest = hasher.finalize()
    }

    static func == (left: Parts, right: Parts) -> Bool {
      left.digest == right.digest && left.path == right.path && left.number == right.number
        && left.partition == right.partition && left.origin == right.origin && left.rule == right.rule
        && left.context == right.context && left.identity == right.identity && left.api == right.api
        && left.fields.haveValues(of: right.fields)
    }
  }
}

/// A resource at a size.
struct ResourceVariant: Sendable, Hashable {
  let key: ResourceKey
  /// The size at which the value is shown; nil for the resource's own.
  let size: PixelSize?
}
