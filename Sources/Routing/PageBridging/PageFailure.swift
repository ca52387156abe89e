import Mediation

/// The reason why a page's call failed, as far as the page may know it.
///
/// The page receives the raw values; descriptions of errors stay in the app.
public enum PageFailure: String, Error, Sendable, Hashable, Codable {
  /// No route matches, or none that this page may call.
  case notFound = "not_found"
  /// The URL is malformed.
  case malformed
  /// A parameter is missing or invalid.
  case parameter
  /// A guard refused the call.
  case rejected
  /// The user left the screen without a result.
  case dismissed
  /// The call was cancelled.
  case cancelled
  /// The app's code failed.
  case failed
  /// Too many of the page's calls are in progress; the page may try again when one has ended.
  case busy
  /// The call is larger than `PageCallLimits(size:)`.
  case tooLarge = "too_large"

  init(_ error: RouteError) {
    switch error {
    case .notFound, .forbidden: self = .notFound
    case .malformedURL: self = .malformed
    case .parameter: self = .parameter
    case .rejected: self = .rejected
    case .dismissed: self = .dismissed
    case .cancelled: self = .cancelled
    case .overdue, .redirectLoop, .resultMismatch, .linkDropped, .linkSuperseded, .failed: self = .failed
    }
  }
}
