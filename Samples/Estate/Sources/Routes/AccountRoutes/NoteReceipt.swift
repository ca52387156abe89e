/// The server's confirmation of a note.
public struct NoteReceipt: Sendable, Hashable {
  /// The size of the request's decoded body in bytes.
  public let bytes: Int
  /// The content coding of the body as it was sent.
  public let coding: String

  /// Creates a receipt.
  public init(bytes: Int, coding: String) {
    self.bytes = bytes
    self.coding = coding
  }
}
