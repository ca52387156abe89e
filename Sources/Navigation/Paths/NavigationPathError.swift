/// Why a text is no navigation path.
public enum NavigationPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It has no steps.
  case empty
  /// This step is none.
  case unknown(String)
  /// It has more than so many steps.
  case tooMany(limit: Int)
  /// It has more than so many bytes.
  case tooLong(limit: Int)

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .empty: "The navigation path has no step; write one, such as “back” or “tab/orders”."
    case .unknown(let step):
      "“\(step.prefix(200).prefix { $0 != "?" && $0 != "#" })” is no step of a navigation path; the steps are a URL, back, back/root, "
        + "back/NAME, dismiss, dismiss/all, close/all, tab/NAME, slide/NAME, push/URL, present/URL, replace/URL and root/URL."
    case .tooMany(let limit): "The navigation path has more than \(limit) steps; follow it in parts."
    case .tooLong(let limit): "The navigation path is longer than \(limit) bytes; follow it in parts."
    }
  }
}
