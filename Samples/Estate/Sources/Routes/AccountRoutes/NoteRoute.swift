public import Mediation

/// Leaves a note about a home; a long one is sent compressed.
public struct NoteRoute: NativeRoute, Hashable {
  /// The result.
  public typealias Output = NoteReceipt

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
