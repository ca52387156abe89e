public import Interception

/// What came of a load, at once; the answer comes later.
///
/// Every outcome but ``joined(_:)`` and ``ignored(inFavourOf:)`` is followed by exactly one call of the
/// delegate.
public enum LoadOutcome: Sendable, Hashable {
  /// The request went into the pipeline.
  case sent(RequestID)
  /// The request went into the pipeline, where a stored answer is known to wait for it.
  case cached(RequestID)
  /// A request for the same is in flight; its one answer serves this load too.
  case joined(RequestID)
  /// A request for something else is in flight, and the API lets only one fly at a time; nothing was sent.
  case ignored(inFavourOf: RequestID)
  /// A hook refused it; nothing was sent.
  case vetoed(by: String)
  /// The params are not fit to be sent.
  case invalid(ParamsFault)
  /// There is no network, and no stored answer.
  case offline
  /// The API is switched off for now, for this reason; nothing was sent.
  case downgraded(reason: String)

  /// The request whose answer serves this load; nil when there is none.
  public var request: RequestID? {
    switch self {
    case .sent(let request), .cached(let request), .joined(let request): request
    case .ignored, .vetoed, .invalid, .offline, .downgraded: nil
    }
  }
}
