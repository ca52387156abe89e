public import Interception

/// Sends requests to one API that are made at nearly the same time as one request to its batch form.
///
/// Use it for a server that speaks only HTTP/1.1 and offers a batch form, where a screen causes many small
/// requests, such as the price of each house in a list. Don't use it where the origin speaks HTTP/2: there
/// concurrent requests share a connection, and a batch only makes all of them wait for the slowest part. The
/// interceptor therefore sends requests to an origin that it last saw speaking HTTP/2 or HTTP/3 by
/// themselves, unless the rule asks for more.
///
/// ```swift
/// func pipeline(over dispatcher: some Dispatcher, prices: MergeRule) throws -> Pipeline {
///   try Pipeline(over: dispatcher) {
///     ValidationInterceptor()
///     MergingInterceptor(prices)
///     RetryInterceptor()
///   }
/// }
/// ```
///
/// The first request of a batch waits for others during the rule's window. Requests are in one batch only if
/// they have the same method, origin, header fields, options, context and identity, apart from the time
/// limit of the call. A batch of one is sent as it is.
///
/// * Each request receives its own response by its ID; one without a response fails with a `NetworkError`
///   whose underlying error is ``MergingError/missingResponse(_:)``. Responses for other IDs are ignored.
/// * A failure of the batch fails every request. If the batch's status is not from 200 to 299, every request
///   receives that response.
/// * Cancelling a request, also by its own `timeouts.call`, ends only its own wait. The last one cancels the
///   batch, and one that is cancelled during the window is not sent.
/// * The first request receives the batch's exchange; the others have 0 attempts and no transport report.
///
/// A request is sent by itself if its response may come from a cache or is streamed, if its body is not in
/// memory, or if it gets credentials of an account that is not known (`Request.Identity.unknown`). The
/// interceptor stands after sharing, so that identical requests are one item, and before redirects and
/// retries, which apply to the batch as a whole: whether it is repeated depends on the batch's method.
/// Signing, which follows, signs the batch.
public struct MergingInterceptor: Interceptor {
  /// At stage `merging`; calls `next` once or, for a request that joins a batch, not at all.
  public let traits = InterceptorTraits(stage: .merging, callsNext: .atMostOnce)
  let registry: BatchRegistry
  private let rules: [MergeRule]

  /// Creates an interceptor; copies of it share their batches.
  ///
  /// - Parameters:
  ///   - rules: The rules, one for each API; of several for one API, the first one applies.
  ///   - time: The clock that measures the windows.
  public init(_ rules: MergeRule..., time: TimeSource = .system) {
    self.rules = rules
    registry = BatchRegistry(time: time)
  }

  /// Adds the request to a batch, or sends it by itself.
  ///
  /// - Throws: What `next` throws for the batch; an error of kind `rejected` whose underlying error is a
  ///   ``MergingError``; `NetworkError.Kind.cancelled` as soon as the caller's task is cancelled.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard !request.asksForUpgrade, let api = request.api,
      let index = rules.firstIndex(where: { $0.api == api })
    else {
      return try await next.dispatch(request)
    }
    return try await registry.response(to: request, by: rules[index], at: index, next: next)
  }
}

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
  public let api: APIIdentity
  /// How long the first request of a batch waits for others; 10 ms by default.
  public var window: Duration
  /// The maximum number of requests in a batch; 20 by default.
  ///
  /// A full batch is sent at once.
  public var maximumCount: Int
  /// The maximum length of the paths and bodies of a batch's requests in bytes; 65,536 by default.
  ///
  /// A longer request is sent by itself.
  public var maximumBytes: Int
  /// Whether requests are merged even if the origin was last seen speaking HTTP/2 or HTTP/3; false by
  /// default, because there concurrent requests share a connection anyway.
  public var appliesToMultiplexed: Bool

  let id: @Sendable (Request) -> String?
  let combine: @Sendable ([MergeItem]) throws -> Request
  let split: @Sendable ([UInt8]) throws -> [String: Response]

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - api: The API whose requests are merged.
  ///   - window: How long the first request of a batch waits for others; 10 ms by default.
  ///   - maximumCount: The maximum number of requests in a batch; 20 by default.
  ///   - maximumBytes: The maximum length of the paths and bodies of a batch's requests; 65,536 by default.
  ///   - appliesToMultiplexed: Whether requests are merged over HTTP/2 and HTTP/3, too; false by default.
  ///   - id: Returns the ID of a request in a batch; nil for a request that must be sent by itself.
  ///   - combine: Returns the request of a batch of two or more items. It usually is a copy of the first
  ///     item's request with another path, method or body, so that it keeps the context and the options.
  ///   - split: Returns the response to each item by its ID. It receives the content of the batch's
  ///     response, whose status was from 200 to 299.
  public init(
    of api: APIIdentity, window: Duration = .milliseconds(10), maximumCount: Int = 20,
    maximumBytes: Int = 65_536, appliesToMultiplexed: Bool = false,
    id: @escaping @Sendable (Request) -> String?,
    combine: @escaping @Sendable ([MergeItem]) throws -> Request,
    split: @escaping @Sendable ([UInt8]) throws -> [String: Response]
  ) {
    self.api = api
    self.window = window
    self.maximumCount = maximumCount
    self.maximumBytes = maximumBytes
    self.appliesToMultiplexed = appliesToMultiplexed
    self.id = id
    self.combine = combine
    self.split = split
  }
}

/// A request that is to be part of a batch.
public struct MergeItem: Sendable {
  /// The ID by which the batch's response names the request's own response; unique in the batch.
  public let id: String
  /// The request.
  public let request: Request

  /// Creates an item, for example to test a rule.
  public init(id: String, request: Request) {
    self.id = id
    self.request = request
  }
}

/// Why a merged request has no response, although its batch was built or sent.
///
/// It is the `underlying` error of a `NetworkError` of kind `rejected`.
public enum MergingError: Error, LoggableError, Sendable {
  /// The rule could not build the batch; nothing was sent.
  case notCombined(APIIdentity, underlying: any Error)
  /// The rule could not take the batch's response apart.
  case notSplit(APIIdentity, underlying: any Error)
  /// The batch's response has no response for the request's ID.
  case missingResponse(APIIdentity)
}

extension MergingError: CustomStringConvertible {
  /// A sentence that says what happened and what to do; it contains neither IDs nor content.
  public var description: String {
    switch self {
    case .notCombined(let api, let error):
      "The batch of requests to \(api) could not be built: \(type(of: error)); check the rule's combine closure."
    case .notSplit(let api, let error):
      "The response to a batch of requests to \(api) could not be read: \(type(of: error)); check the rule's split closure."
    case .missingResponse(let api):
      "The response to a batch of requests to \(api) lacks the ID of this request; send the request by itself, or check the server."
    }
  }
}

extension Stage {
  /// Merges requests to one API, after sharing and before redirects and retries; rank 220.
  public static let merging = Stage(rank: 220, name: "merging")
}
