/// The report of a server that showed a key that is not pinned.
public struct PinMismatch: Sendable, Hashable {
  /// The host of the request.
  public let host: String
  /// The port of the request.
  public let port: Int
  /// The pins of the host, as they were configured.
  public let expected: [String]
  /// The pin of the key that the server showed; nil when it could not be read.
  public let seen: String?
  /// Whether the connection was refused; false under ``PublicKeyPins/Mode/reportOnly``.
  public let wasRefused: Bool
}
