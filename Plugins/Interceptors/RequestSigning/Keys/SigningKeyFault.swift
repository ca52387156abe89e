/// Why something is no signing key.
public enum SigningKeyFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The id cannot stand in a header field.
  case illegalID
  /// The secret can be guessed.
  case shortSecret(id: String, count: Int, atLeast: Int)

  /// The culprit and the remedy.
  public var description: String {
    switch self {
    case .illegalID:
      "The id of a signing key is not fit for a header field; use 1 to 128 visible ASCII characters but commas."
    case .shortSecret(let id, let count, let least):
      "The secret of the signing key \(id) has \(count) bytes; use at least \(least), and random ones."
    }
  }
}
