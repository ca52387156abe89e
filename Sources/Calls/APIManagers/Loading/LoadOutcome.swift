public import Interception

/// The immediate outcome of a load; the response follows later.
///
/// Every outcome except ``joined(_:)`` and ``ignored(inFlight:)`` is followed by exactly one call of the
/// delegate, unless a hook vetoes the delivery or the manager is released first. The hooks are notified of a
/// vetoed delivery. A joined load shares the delegate's call with the load of the request that it joined.
public enum LoadOutcome: Sendable, Hashable {
  /// The request was sent into the pipeline.
  case sent(RequestID)
  /// The request was sent into the pipeline, and a stored response is known to exist.
  case cached(RequestID)
  /// An equal request is in flight; its response serves this load too.
  case joined(RequestID)
  /// A different request, a download or a stream is in flight, and the API allows only one at a time; nothing
  /// was sent.
  case ignored(inFlight: RequestID)
  /// A hook refused the load; nothing was sent.
  case vetoed(by: String)
  /// The params cannot be sent.
  case invalid(ParamsError)
  /// There is no network and no stored response.
  case offline
  /// The API is switched off temporarily, for this reason; nothing was sent.
  case downgraded(reason: String)

  /// The request whose response serves this load, or nil if there is none.
  public var request: RequestID? {
    switch self {
    case .sent(let request), .cached(let request), .joined(let request): request
    case .ignored, .vetoed, .invalid, .offline, .downgraded: nil
    }
  }
}
