import HTTPTypes
import Interception

/// A request that may be merged: the values by which its batch is found, and its size.
struct MergeCandidate: Sendable {
  /// What the requests of a batch have in common and is looked up.
  struct Key: Hashable, Sendable {
    let rule: Int
    let origin: RequestOrigin
    let partition: String
    let identity: Request.Identity?
  }

  let item: MergeItem
  let key: Key
  /// The length of the path and the body in bytes.
  let size: Int

  /// Creates the candidate of a request; nil if the request is sent by itself.
  init?(_ request: Request, by rule: MergeRule, at index: Int, origin: RequestOrigin) {
    let context = request.context
    guard rule.maximumCount > 1, context.cacheRule.limit == nil, !context.cacheRule.mode.acceptsStale,
      case .buffered = request.delivery, !request.hasUnknownIdentity, let body = request.body.bytes
    else { return nil }
    size = (request.head.path?.utf8.count ?? 0) + body.count
    guard size <= rule.maximumBytes, let id = rule.id(request) else { return nil }
    item = MergeItem(id: id, request: request)
    key = Key(
      rule: index, origin: origin, partition: context.partition, identity: request.identity)
  }

  /// Whether the request can be sent in one batch with another one of the same key.
  func isCompatible(with other: Request) -> Bool {
    let request = item.request
    return request.head.method == other.head.method && request.head.headerFields == other.head.headerFields
      && request.head.authority == other.head.authority && request.attempt == other.attempt
      && Self.sharedOptions(of: request) == Self.sharedOptions(of: other)
      && request.connectTarget == other.connectTarget
      && request.context.hasLeftOrigin == other.context.hasLeftOrigin
      && request.context.hasSameCustomValues(as: other.context)
  }

  /// The maximum length of the batch's response, in bytes.
  static func responseLimit(of request: Request) -> Int {
    if case .buffered(let limit) = request.delivery { limit } else { 0 }
  }

  private static func sharedOptions(of request: Request) -> RequestOptions {
    var options = request.options
    options.timeouts.call = nil
    return options
  }
}
