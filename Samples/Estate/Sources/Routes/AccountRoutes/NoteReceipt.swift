/// What the server says of a note that it took.
public struct NoteReceipt: Sendable, Hashable {
  /// The bytes of the request's body, after it was decoded.
  public let bytes: Int
  /// The content coding in which the body travelled.
  public let coding: String

  /// Makes a receipt.
  public init(bytes: Int, coding: String) {
    self.bytes = bytes
    self.coding = coding
  }
}
