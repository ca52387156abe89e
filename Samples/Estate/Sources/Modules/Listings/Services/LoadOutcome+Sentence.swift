import APIManagers

extension LoadOutcome {
  /// A sentence for the user about a load whose response is not simply the server's answer to it.
  func sentence(isOffline: Bool) -> String? {
    switch self {
    case .sent: nil
    case .cached: isOffline ? "There is no network; this list was stored." : nil
    case .joined: "The same list was being loaded already."
    case .ignored: "Another list is being loaded; nothing was sent."
    case .vetoed(let hook): "\(hook) refused this list; log in to see it."
    case .invalid(let error): "The search is not possible: \(error)"
    case .offline: "There is no network, and this list is not stored."
    case .downgraded(let reason): "This list is switched off: \(reason)"
    }
  }
}
