/// Knows what the user has written to agents on this device.
package protocol NoteKeeping: Sendable {
  /// Returns the notes about a home, the latest one first.
  func notes(about home: Int) async -> [WrittenNote]
}

/// A note to an agent.
package struct WrittenNote: Sendable, Hashable {
  package let text: String
  /// Whether the server has it.
  package let isSent: Bool

  package init(text: String, isSent: Bool) {
    self.text = text
    self.isSent = isSent
  }
}

/// The server's confirmation of a note.
package struct NoteReceipt: Sendable, Hashable {
  /// The size of the request's decoded body in bytes.
  package let bytes: Int
  /// The content coding of the body as it was sent.
  package let coding: String

  package init(bytes: Int, coding: String) {
    self.bytes = bytes
    self.coding = coding
  }
}
