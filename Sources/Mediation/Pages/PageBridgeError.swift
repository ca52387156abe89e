/// What is wrong with a page or with a call that no reply can answer.
public enum PageBridgeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The page is not one of an `https` host with the default port.
  case insecurePage
  /// Two methods have one name, or one route has two.
  case method(String)
  /// A call with this id is under way; its reply is the only one that the id gets.
  case duplicateID
  /// The id is empty or too long.
  case illegalID
  /// The page is gone.
  case closed
  /// The page asks faster than it takes its replies.
  case flooded

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .insecurePage:
      "Only pages of https hosts on the default port may call: load the page from one."
    case .method(let name):
      "The method \"\(name)\" is listed twice, by its name or its route: remove one."
    case .duplicateID: "A call with this id is under way: let the page number its calls."
    case .illegalID: "The id of the call is empty or too long: let the page number its calls."
    case .closed: "The page is gone: make a bridge for each page that is loaded."
    case .flooded: "The page asks faster than it takes its replies: the call was left unanswered."
    }
  }
}
