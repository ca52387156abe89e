/// The reason that a text is not a valid navigation path.
package enum NavigationPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text has no steps.
  case empty
  /// A step is not known.
  case unknown(String)
  /// The text exceeds the maximum number of steps.
  case tooMany(limit: Int)
  /// The text exceeds the maximum number of bytes.
  case tooLong(limit: Int)

  /// The problem and its remedy.
  package var description: String {
    switch self {
    case .empty: "The navigation path has no steps; write one, such as \"back\" or \"tab/orders\"."
    case .unknown(let step):
      "\"\(step.prefix(200).prefix { $0 != "?" && $0 != "#" })\" is not a navigation step; the steps are a URL, back, back/root, "
        + "back/NAME, dismiss, dismiss/all, close/all, tab/NAME, slide/NAME, push/URL, present/URL, replace/URL and root/URL."
    case .tooMany(let limit): "The navigation path has more than \(limit) steps; split it into several paths."
    case .tooLong(let limit):
      "The navigation path is longer than \(limit) bytes; split it into several paths."
    }
  }
}
