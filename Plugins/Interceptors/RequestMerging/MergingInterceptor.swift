public import Interception

/// Merges requests to one API that start at nearly the same time, or while an earlier one is in flight, into
/// one request to its batch form.
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
/// The rule's ``MergeRule/Policy`` says when a batch is sent: at the end of a window, for which its first
/// request waits, or when the batch before it has ended. Requests are in one batch only if they have the same
/// method, origin, header fields, options, context and identity, apart from the time limit of the call. A
/// batch of one is sent as it is.
///
/// * Each request receives its own response by its ID; one without a response fails with an error of
///   kind `rejected`. Responses for other IDs are ignored.
/// * A failure of the batch fails every request. If the batch's status is not from 200 to 299, every request
///   receives that response.
/// * Cancelling a request, also by its own `timeouts.call`, ends only its own wait. The last one cancels the
///   batch, and one that is cancelled before its batch is sent is not sent.
/// * The first request receives the batch's exchange; the others have 0 attempts and no transport report.
///
/// A request is sent by itself if its response may come from a cache or is streamed, if its body is not in
/// memory or followed by trailer fields, or if it gets credentials of an account that is not known
/// (`Request.Identity.unknown`). The interceptor stands after sharing, so that identical requests are one
/// item, and before redirects and retries, which apply to the batch as a whole: whether it is repeated
/// depends on the batch's method. Signing, which follows, signs the batch.
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
  /// - Throws: What `next` throws for the batch; an error of kind `rejected` if the batch can't be built,
  ///   or its response can't be taken apart; `NetworkError.Kind.cancelled` as soon as the caller's task is
  ///   cancelled.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard let api = request.api, let index = rules.firstIndex(where: { $0.api == api }) else {
      return try await next.dispatch(request)
    }
    return try await registry.response(to: request, by: rules[index], at: index, next: next)
  }
}

extension Stage {
  /// Merges requests to one API, after sharing and before redirects and retries; rank 220.
  package static let merging = Stage(rank: 220, name: "merging")
}
