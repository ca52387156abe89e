public import Interception

/// An access key: its id, its secret, and for temporary ones a session token and the time of their expiry.
///
/// The host app supplies it from a keychain or a token service. No text, mirror or error reveals the secret
/// or the token.
public struct VendorCredentials: Sendable {
  /// The id of the key, which is sent with each request.
  package let keyID: String
  /// The time from which the vendor refuses the credentials; nil if they don't expire.
  package let expires: WallTime?
  let material: CredentialMaterial

  /// Creates credentials.
  ///
  /// - Parameters:
  ///   - keyID: 1 to 128 visible ASCII characters without a comma or a slash.
  ///   - secret: 1 to 4096 bytes.
  ///   - sessionToken: The token of temporary credentials, in visible ASCII characters.
  ///   - expires: The time of expiry, for temporary credentials.
  /// - Throws: ``VendorSignatureError``, which never contains the value.
  public init(
    keyID: String, secret: String, sessionToken: String? = nil, expires: WallTime? = nil
  ) throws(VendorSignatureError) {
    guard SignatureText.isIdentifier(keyID) else { throw VendorSignatureError(.illegalText("id of the key")) }
    guard (1...4_096).contains(secret.utf8.count) else { throw VendorSignatureError(.illegalText("secret")) }
    if let sessionToken {
      guard SignatureText.isVisible(sessionToken) else {
        throw VendorSignatureError(.illegalText("session token"))
      }
    }
    self.keyID = keyID
    self.expires = expires
    material = CredentialMaterial(secret: Array(secret.utf8), sessionToken: sessionToken)
  }

  /// The token of temporary credentials.
  var sessionToken: String? { material.sessionToken }
}

extension VendorCredentials: Concealed, CustomStringConvertible {
  /// The id of the key, without the secret.
  public var description: String { "VendorCredentials(\(keyID))" }
}

/// A secret and a session token, neither of which is ever printed; its identity is that of the credentials.
final class CredentialMaterial: Sendable {
  let secret: [UInt8]
  let sessionToken: String?

  init(secret: [UInt8], sessionToken: String?) {
    self.secret = secret
    self.sessionToken = sessionToken
  }
}

extension CredentialMaterial: CustomReflectable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Empty, so that `dump` and `Mirror` can't reveal the secret.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  var description: String { "(secret)" }
  var debugDescription: String { description }
}

/// The characters that parts of a signature may have.
enum SignatureText {
  /// Whether a text is 1 to 128 visible ASCII characters that separate nothing in a credential: no comma,
  /// equals sign, quote or slash.
  static func isIdentifier(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !",=/\"".utf8.contains($0) }
  }

  /// Whether a text is 1 to 16,384 visible ASCII characters.
  static func isVisible(_ text: String) -> Bool {
    (1...16_384).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
