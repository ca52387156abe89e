public import Mediation

/// Leaves a note about a home; long ones travel compressed.
public struct NoteRoute: NativeRoute, Hashable {
  /// What the service answers.
  public typealias Output = NoteReceipt

  /// The home's number.
  public var home: Int
  /// The note.
  public var text: String

  /// Makes a note.
  public init(home: Int, text: String) {
    self.home = home
    self.text = text
  }
}
