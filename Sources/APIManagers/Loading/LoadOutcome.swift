public import Interception

/// The immediate outcome of a load; the answer follows later.
///
/// Every outcome except ``joined(_:)`` and ``ignored(inFavourOf:)`` is followed by exactly one call of the
/// delegate, unless a hook vetoes the delivery.
public enum LoadOutcome: Sendable, Hashable {
  /// The request was sent into the pipeline.
  case sent(RequestID)
  /// The request was sent into the pipeline, and a stored answer is known to exist.
  case cached(RequestID)
  /// An equal request is in flight; its answer serves this load too.
  case joined(RequestID)
  /// A different request is in flight, and the API allows only one at a time; nothing was sent.
  case ignored(inFavourOf: RequestID)
  /// A hook refused the load; nothing was sent.
  case vetoed(by: String)
  /// The params cannot be sent.
  case invalid(ParamsFault)
  /// There is no network and no stored answer.
  case offline
  /// The API is switched off temporarily, for this reason; nothing was sent.
  case downgraded(reason: String)

  /// The request whose answer serves this load, or nil if there is none.
  public var request: RequestID? {
    switch self {
    case .sent(let request), .cached(let request), .joined(let request): request
    case .ignored, .vetoed, .invalid, .offline, .downgraded: nil
    }
  }
}
