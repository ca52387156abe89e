public import HTTPTypes
public import Interception
import RequestFlights

/// Sends identical requests once: while one is in flight, the others wait for its response.
///
/// Use it where several parts of an app load the same thing at the same time: the cells of a list, the
/// modules of a start screen, a burst of pulls to refresh. Don't use it instead of a cache: a request that
/// starts after the response has arrived is sent again.
///
/// ```swift
/// let pipeline = try Pipeline(over: dispatcher) {
///   ValidationInterceptor()
///   SharingInterceptor()
///   CachingInterceptor()
/// }
/// var request = Request(authority: "api.example", path: "/houses")
/// request.context.partition = "account 7"
/// let response = try await pipeline.send(request)
/// ```
///
/// A GET, HEAD or QUERY whose response is buffered and whose body is in memory is shared with requests that
/// are equal in everything but the priority and the ignored header fields. That includes the options and all
/// values of the context; a value of a custom key that isn't `Equatable` prevents sharing, and so does an
/// `isIdempotent` that is false.
///
/// The first request is sent in its caller's task, and the others wait for its response:
///
/// * Cancelling a request that waits ends only its own wait, immediately.
/// * Cancelling the request that was sent cancels its call. When that call has ended, one of the others is
///   sent in its place, in its own caller's task: the one with the highest priority, or the first of
///   several. At most one of them is in flight, and none is sent twice. If the call ends with a response or
///   another error in spite of the cancellation, all of them receive it.
/// * If none of the others waits, the request that is being cancelled is not joined.
/// * A failure is given to all of them, unchanged.
/// * The request that was sent receives the response with its `exchange`; so does one that was sent in its
///   place. The others receive it with 0 attempts and no transport report, because nothing was sent for them;
///   the cache status is kept.
/// * Time limits of an attempt are those of the request that was sent, from its start. They are the same for
///   all, because requests with other limits are not joined. `timeouts.call` ends only its own request, like
///   a cancellation.
/// * A request does not join a flight of a lower priority, because the priority of a request that was sent
///   can't be raised. It starts a flight of its own, which later requests join.
///
/// * When a request with an unsafe method has ended, in whichever way, no further request joins the present
///   flights, because their responses may be older than its changes: a caller reads its own writes.
///
/// The interceptor precedes signing, whose nonces make identical requests differ, and retrying, so that a
/// flight includes its retries. It also precedes interceptors that add credentials, so it compares on whose
/// behalf requests are sent: their partition, and the identities that those interceptors provide
/// (`Request.IdentityProvider`). A request with credentials of an unknown account is sent by itself.
///
/// An inner interceptor must not send a copy of a shared request through the same pipeline and wait for it,
/// because the copy would join its own flight; set `RequestContext.allowsSharing` to false for the copy.
public struct SharingInterceptor: FlightSharing {
  /// At stage `sharing`; calls `next` once or, for a request that joins another one, not at all.
  public let traits = InterceptorTraits(stage: .sharing, callsNext: .atMostOnce)
  let registry = FlightRegistry()
  private let isIgnored: @Sendable (HTTPField.Name) -> Bool

  /// Creates an interceptor; copies of it share their flights.
  ///
  /// - Parameter ignoredFields: The names of header fields in which requests may differ; those of tracing by
  ///   default. Only the values of the first request are sent.
  public init(ignoring ignoredFields: [HTTPField.Name] = SharingInterceptor.tracingFields) {
    isIgnored = { ignoredFields.contains($0) }
  }

  /// Request IDs, and the fields of W3C and B3 tracing.
  public static let tracingFields = HTTPField.Name.tracing

  /// The number of flights.
  package var flightCount: Int { registry.count }
  /// The number of requests that wait for a flight.
  package var waitingCount: Int { registry.waitingCount }
  package var sharedFlights: any SharedFlights { registry }

  /// Closes the present flights to further requests.
  ///
  /// Requests that already wait are not affected.
  ///
  /// Call it when responses that are still to come must not be given to new requests: when the account
  /// changes and an interceptor adds its credentials without providing an identity, or when the server has
  /// reported that data has changed. A write by the same pipeline closes the flights itself, and so does a
  /// `CachingInterceptor` of it when stored responses are removed.
  public func closeFlights() { registry.closeFlights() }

  /// Waits for the identical request in flight, or sends the request.
  ///
  /// - Throws: What `next` throws; while it waits, `NetworkError.Kind.cancelled` as soon as the caller's
  ///   task is cancelled.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard request.head.method.isSafe else {
      // A request that was in flight before the write may return the old value.
      defer { registry.closeFlights() }
      return try await next.dispatch(request)
    }
    guard request.context.allowsSharing, let key = FlightKey(request, ignoring: isIgnored) else {
      return try await next.dispatch(request)
    }
    return try await registry.response(to: key, next: next).response
  }
}

extension RequestContext {
  private enum SharingKey: ContextKey { static let defaultValue = true }

  /// Whether the request may join an identical one in flight, and others may join it; true by default.
  ///
  /// Set it to false for a request that must reach the server by itself, such as one that polls. A cache,
  /// which also fetches equal misses once, doesn't obey it: give such a request the mode `reload`.
  public var allowsSharing: Bool {
    get { self[SharingKey.self] }
    set { self[SharingKey.self] = newValue }
  }
}
