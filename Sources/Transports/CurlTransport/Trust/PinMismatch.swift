import COpenSSL
import Cryptography
import Interception

/// A server's use of a key that is not pinned.
public struct PinMismatch: Sendable, Hashable {
  /// The host of the request.
  public let host: String
  /// The port of the request.
  public let port: Int
  /// The configured pins of the host.
  public let expected: [String]
  /// The pin of the server's key; nil if it could not be read.
  public let seen: String?
  /// Whether the connection was refused; false under ``PublicKeyPins/init(_:isEnforced:)``.
  public let wasRefused: Bool
}
