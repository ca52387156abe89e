public import Interception

/// How the requests to one API become one request to its batch form, and how the response is taken apart.
///
/// ```swift
/// let prices = MergeRule(of: APIIdentity(service: "estate", name: "prices.one")) { request in
///   request.head.path?.split(separator: "/").last.map(String.init)  // the ID in "/prices/7"
/// } combine: { items in
///   var batch = items[0].request
///   batch.head.path = "/prices?ids=" + items.map(\.id).joined(separator: ",")
///   return batch
/// } split: { bytes in  // a line for each price, such as "7 450000"
///   var responses: [String: Response] = [:]
///   for line in bytes.split(separator: UInt8(ascii: "\n")) {
///     let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
///     guard words.count == 2 else { continue }
///     responses[String(decoding: words[0], as: UTF8.self)] = Response(status: .ok, bytes: Array(words[1]))
///   }
///   return responses
/// }
/// ```
public struct MergeRule: Sendable {
  /// The API whose requests are merged, by `RequestContext.api`.
  package let api: APIIdentity
  /// When a batch is sent; 10 ms after its first request by default.
  package var policy: Policy
  /// The maximum number of requests in a batch; 20 by default.
  package var maximumCount: Int
  /// The maximum length of the paths and bodies of a batch's requests in bytes; 65,536 by default.
  package var maximumBytes: Int
  /// Whether requests are merged even if the origin was last seen speaking HTTP/2 or HTTP/3; false by
  /// default, because there concurrent requests share a connection anyway.
  package var appliesToMultiplexed: Bool

  let id: @Sendable (Request) -> String?
  let combine: @Sendable ([MergeItem]) throws -> Request
  let split: @Sendable ([UInt8]) throws -> [String: Response]

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - api: The API whose requests are merged, by `RequestContext.api`.
  ///   - policy: When a batch is sent; 10 ms after its first request by default.
  ///   - maximumCount: The maximum number of requests in a batch, 20 by default. A full batch is sent at
  ///     once.
  ///   - maximumBytes: The maximum length of the paths and bodies of a batch's requests in bytes, 65,536 by
  ///     default. A longer request is sent by itself.
  ///   - appliesToMultiplexed: Whether requests are merged even if the origin was last seen speaking HTTP/2
  ///     or HTTP/3; false by default, because there concurrent requests share a connection anyway.
  ///   - id: Returns the ID of a request in a batch; nil for a request that must be sent by itself.
  ///   - combine: Returns the request of a batch of two or more items. It usually is a copy of the first
  ///     item's request with another path, method or body, so that it keeps the context and the options.
  ///   - split: Returns the response to each item by its ID. It receives the content of the batch's
  ///     response, whose status was from 200 to 299.
  public init(
    of api: APIIdentity, policy: Policy = .window(.milliseconds(10)), maximumCount: Int = 20,
    maximumBytes: Int = 65_536, appliesToMultiplexed: Bool = false,
    id: @escaping @Sendable (Request) -> String?,
    combine: @escaping @Sendable ([MergeItem]) throws -> Request,
    split: @escaping @Sendable ([UInt8]) throws -> [String: Response]
  ) {
    self.api = api
    self.policy = policy
    self.maximumCount = maximumCount
    self.maximumBytes = maximumBytes
    self.appliesToMultiplexed = appliesToMultiplexed
    self.id = id
    self.combine = combine
    self.split = split
  }
}

extension MergeRule {
  /// When a batch is sent that isn't full.
  public enum Policy: Sendable, Hashable {
    /// Each batch waits for others for this time after its first request.
    case window(Duration)
    /// The first request is sent at once. Those that arrive while it is in flight form the next batch, which
    /// is sent when the one before it has ended, whether by success, failure or cancellation.
    case whileInFlight
  }
}
