/// The reason that an aspect kept a screen from being shown; what was shown before stays.
///
/// The caller of the route receives it in `RouteError.failed`.
public enum ScreenAspectError: Error, Sendable {
  /// An aspect vetoed the screen; `isRoot` if the user sees no other one, such as in an empty tab.
  ///
  /// `isRoot` is false for a screen that is restored or belongs below the one that a link opens, because
  /// others are shown in the same step.
  case vetoed(by: String, reason: any Error, isRoot: Bool)
  /// An aspect threw an error.
  case failed(String, any Error)
  /// An aspect did not decide within the time limit: about this screen, or about an earlier one of the same
  /// restoration or the same link.
  case overdue(String, limit: Duration)
  /// The maximum number of screens already waited for aspects.
  case tooMany(limit: Int)
}

extension ScreenAspectError {
  /// Whether an aspect refused the screen, or did not decide, as opposed to a failure.
  var isRefusal: Bool {
    switch self {
    case .vetoed, .overdue: true
    case .failed, .tooMany: false
    }
  }
}

extension ScreenAspectError: CustomStringConvertible {
  /// What happened to the screen, and what to do.
  public var description: String {
    switch self {
    case .vetoed(let name, let reason, let isRoot):
      "Aspect \(name) does not let the screen be shown: \(reason)"
        + (isRoot ? " No other one is seen; let the aspect replace the screen by one that says why." : "")
    case .failed(let name, let error):
      "Aspect \(name) failed, so the screen is not shown: \(error) Let the aspect return a verdict instead."
    case .overdue(let name, let limit):
      "Aspect \(name) did not decide within \(limit), so the screen is not shown: try again, or raise the "
        + "limit of the aspects."
    case .tooMany(let limit):
      "\(limit) screens wait for aspects, which is the limit: let no aspect open a screen in order to decide."
    }
  }
}
