import Interception

/// Why a load sends no request.
enum LoadRefusal: Error, Hashable, Sendable {
  /// The params cannot be sent.
  case invalid(ParamsError)
  /// A hook refused the load.
  case vetoed(by: String)
  /// The API is switched off.
  case downgraded(reason: String)
  /// A different request is in flight, and the API allows one at a time.
  case ignored(inFlight: RequestID)
  /// There is no network and no stored response.
  case offline

  /// The outcome that `load` returns.
  var outcome: LoadOutcome {
    switch self {
    case .invalid(let error): .invalid(error)
    case .vetoed(let name): .vetoed(by: name)
    case .downgraded(let reason): .downgraded(reason: reason)
    case .ignored(let request): .ignored(inFlight: request)
    case .offline: .offline
    }
  }

  /// Returns the error that the caller or the delegate receives.
  func error(of api: APIIdentity) -> APIError {
    switch self {
    case .invalid(let error): APIError(error, api)
    case .vetoed(let name): APIError(vetoedBy: name, api, "before a request was sent")
    case .downgraded(let reason): APIError(.downgraded, api, reason: reason)
    case .ignored(let request):
      APIError(
        .ignored(inFlight: request), api,
        reason:
          "Request \(request) is in flight, and the API allows one at a time; load again when it has finished."
      )
    case .offline: APIError(.offline, api, reason: APIError.offlineReason)
    }
  }
}
