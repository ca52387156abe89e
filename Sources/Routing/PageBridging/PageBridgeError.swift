import Mediation

/// A fault of a page or of a call that no reply can report.
public enum PageBridgeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The page's URL is not an `https` URL with the default port.
  case insecurePage
  /// Two methods have the same name or the same route.
  case method(String)
  /// A call with this id is in progress, and each id gets only one final reply.
  case duplicateID
  /// The id is empty or too long.
  case illegalID
  /// The bridge is closed.
  case closed
  /// The page calls faster than it consumes its replies.
  case flooded

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .insecurePage:
      "Only https pages on the default port may call the app: load the page from an https host."
    case .method(let name):
      "The method \"\(name)\" or its route is listed twice: remove one."
    case .duplicateID: "A call with this id is in progress: let the page use a new id for each call."
    case .illegalID: "The id of the call is empty or too long: let the page use short ids, such as numbers."
    case .closed: "The bridge is closed: create one for each document that is loaded."
    case .flooded:
      "The page calls faster than it consumes its replies: the call was dropped; call less often."
    }
  }
}
