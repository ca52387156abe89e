/// A shared secret, and the id by which requests refer to it.
///
/// The host app supplies it from a keychain or its configuration; no text, mirror or error reveals the
/// secret. A secret inside a publicly available app limits abuse, but doesn't authenticate anyone.
public struct SigningKey: Sendable {
  /// The id sent with each request: 1 to 128 visible ASCII characters except commas.
  public let id: String
  let material: KeyMaterial

  /// Creates a key.
  ///
  /// - Parameter secret: At least 16 random bytes; 32 give the scheme's full strength.
  /// - Throws: ``SigningKeyError``, which never contains the secret.
  public init(id: String, secret: [UInt8]) throws(SigningKeyError) {
    guard Self.isValid(id: id) else { throw .illegalID }
    guard secret.count >= Self.minimumSecretLength else {
      throw .shortSecret(id: id, count: secret.count, atLeast: Self.minimumSecretLength)
    }
    self.id = id
    material = KeyMaterial(id: id, secret: secret)
  }

  static let minimumSecretLength = 16

  static func isValid(id: String) -> Bool {
    (1...128).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x2C }
  }
}

extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The id, without the secret.
  public var description: String { "SigningKey(\(id))" }
  /// The id, without the secret.
  public var debugDescription: String { description }
  /// The id, without the secret.
  public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
