public import Mediation

/// Leaves a note about a home by URL, as a form does.
public struct WriteNoteRoute: Route, Codable, Hashable {
  /// The result.
  public typealias Output = NoteReceipt
  /// The URLs of the service.
  public static let pattern: RoutePattern = "estate://notes/{home:int}?text={text}"

  /// The home's number.
  public var home: Int
  /// The note.
  public var text: String

  /// Creates the route.
  public init(home: Int, text: String) {
    self.home = home
    self.text = text
  }
}
