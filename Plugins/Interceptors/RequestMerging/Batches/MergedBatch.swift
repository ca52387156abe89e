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
