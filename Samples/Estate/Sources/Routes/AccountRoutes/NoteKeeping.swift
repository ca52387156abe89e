/// Knows what the user has written to agents on this device.
public protocol NoteKeeping: Sendable {
  /// Returns the notes about a home, the latest one first.
  func notes(about home: Int) async -> [WrittenNote]
}

/// A note to an agent.
public struct WrittenNote: Sendable, Hashable {
  /// The note.
  public let text: String
  /// Whether the server has it.
  public let isSent: Bool

  /// Creates a note.
  public init(text: String, isSent: Bool) {
    self.text = text
    self.isSent = isSent
  }
}
