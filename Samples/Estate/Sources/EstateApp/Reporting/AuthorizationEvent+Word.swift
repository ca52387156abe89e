import Switchyard

extension AuthorizationEvent {
  /// The event in a few words.
  var word: String {
    switch self {
    case .refreshed: "the token was refreshed"
    case .refreshFailed(let error): "the token could not be refreshed, \(error.label)"
    case .needsLogin: "a login is needed"
    }
  }
}
