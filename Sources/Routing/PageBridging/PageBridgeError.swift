import Mediation

/// A fault of a page or of a call that no reply can report.
public struct PageBridgeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong and what to do.
  public let description: String

  private init(_ description: String) { self.description = description }

  /// The page's URL is not an `https` URL with the default port.
  package static let insecurePage = PageBridgeError(
    "Only https pages on the default port may call the app: load the page from an https host.")

  /// Two methods have the same name or the same route.
  package static func method(_ name: String) -> PageBridgeError {
    PageBridgeError("The method \"\(name)\" or its route is listed twice: remove one.")
  }

  /// A call with this id is in progress, and each id gets only one final reply.
  public static let duplicateID = PageBridgeError(
    "A call with this id is in progress: let the page use a new id for each call.")

  /// The id is empty or too long.
  package static let illegalID = PageBridgeError(
    "The id of the call is empty or too long: let the page use short ids, such as numbers.")

  /// The bridge is closed.
  package static let closed = PageBridgeError(
    "The bridge is closed: create one for each document that is loaded.")

  /// The page calls faster than it consumes its replies.
  package static let flooded = PageBridgeError(
    "The page calls faster than it consumes its replies: the call was dropped; call less often.")
}
