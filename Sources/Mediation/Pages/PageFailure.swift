/// Why a page's call failed, as far as a page may know.
///
/// Raw values are what the page reads; texts of errors stay in the app.
public enum PageFailure: String, Error, Sendable, Hashable, Codable {
  /// Nothing answers, or not to this page.
  case notFound = "not_found"
  /// The URL cannot be read.
  case malformed
  /// A parameter is missing or wrong.
  case parameter
  /// A guard refused.
  case rejected
  /// The user left the screen without an answer.
  case dismissed
  /// The call was cancelled.
  case cancelled
  /// The app's code failed.
  case failed
  /// Too many of the page's calls are under way; try again when one has ended.
  case busy
  /// The call is larger than the bridge takes.
  case tooLarge = "too_large"

  init(_ error: RouteError) {
    switch error {
    case .notFound, .forbidden: self = .notFound
    case .malformedURL: self = .malformed
    case .parameter: self = .parameter
    case .rejected: self = .rejected
    case .dismissed: self = .dismissed
    case .cancelled: self = .cancelled
    case .overdue, .redirectLoop, .resultMismatch, .linkDropped, .failed: self = .failed
    }
  }
}
