import HTTPTypes
import Interception

/// The request of a batch, and how its response is taken apart.
struct MergedBatch {
  let request: Request
  private let items: [MergeItem]
  private let rule: MergeRule

  /// Builds the request of two or more items.
  init(_ items: [MergeItem], by rule: MergeRule) throws(NetworkError) {
    self.items = items
    self.rule = rule
    var request: Request
    do {
      request = try rule.combine(items)
    } catch {
      throw Self.error(
        .notCombined(rule.api, underlying: error), wasSent: false, attempt: items.first?.request.attempt ?? 1)
    }
    // The rule and the check are those of one item's response.
    request.context.cacheRule = .off
    request.context.storageCheck = nil
    // The rule may have created another request.
    if let identity = items.first?.request.identity { request = request.identified(as: identity) }
    if let partition = items.first?.request.context.partition { request.context.partition = partition }
    // What is secret in an item is so in the batch, and the items have all left their origin or none has.
    for item in items {
      let context = item.request.context
      if !context.credentialFields.isUsual {
        request.context.credentialFields.formUnion(context.credentialFields)
      }
      if context.hasLeftOrigin { request.context.hasLeftOrigin = true }
    }
    // The time limit of a call ends its own wait; the batch may outlive the call that opened it.
    self.request = request.withoutCallLimit()
  }

  /// Returns the outcome of each item, in their order.
  ///
  /// - Parameter content: The content of the response.
  func outcomes(of response: Response, _ content: [UInt8]) -> [Result<Response, NetworkError>] {
    guard (200..<300).contains(response.status.code) else {
      return items.indices.map { .success($0 == 0 ? response : response.asMerged) }
    }
    let parts: [String: Response]
    do {
      parts = try rule.split(content)
    } catch {
      let failure = Self.error(
        .notSplit(rule.api, underlying: error), wasSent: true, attempt: request.attempt)
      return items.map { _ in .failure(failure) }
    }
    return items.enumerated().map { index, item in
      guard var part = parts[item.id] else {
        return .failure(
          Self.error(.missingResponse(rule.api), wasSent: true, attempt: item.request.attempt))
      }
      part.exchange = index == 0 ? response.exchange : response.asMerged.exchange
      return .success(part)
    }
  }

  private static func error(_ error: MergingError, wasSent: Bool, attempt: Int) -> NetworkError {
    NetworkError(
      .rejected, "\(error)", requestMayHaveBeenProcessed: wasSent, underlying: error, attempt: attempt)
  }
}

extension Response {
  /// The response as an item receives it for which nothing was sent.
  fileprivate var asMerged: Response {
    var copy = self
    copy.exchange.attempts = 0
    copy.exchange.transport = nil
    return copy
  }
}

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
  /// The task priority of the request.
  let priority: TaskPriority

  /// Creates the candidate of a request of the current task; nil if the request is sent by itself.
  init?(
    _ request: Request, by rule: MergeRule, at index: Int, origin: RequestOrigin,
    priority: TaskPriority = Task.currentPriority
  ) {
    let context = request.context
    guard rule.maximumCount > 1, context.cacheRule.limit == nil, !context.cacheRule.mode.acceptsStale,
      request.permits(.merging), let body = request.body.bytes
    else { return nil }
    size = (request.head.path?.utf8.count ?? 0) + body.count
    guard size <= rule.maximumBytes, let id = rule.id(request) else { return nil }
    item = MergeItem(id: id, request: request)
    self.priority = priority
    key = Key(
      rule: index, origin: origin, partition: context.partition, identity: request.identity)
  }

  /// Whether the request can be sent in one batch with another one of the same key.
  func isCompatible(with other: Request) -> Bool {
    let request = item.request
    return request.head.method == other.head.method
      && request.head.headerFields.haveValues(of: other.head.headerFields)
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
