/// A secret that both ends know, and the id by which a request names it.
///
/// The host app hands it in, from a keychain or from its configuration; no text, mirror or error shows the
/// secret. A secret inside an app that everybody can download is an abuse filter and not an authentication of
/// anybody.
public struct SigningKey: Sendable {
  /// The name that travels with each request: 1 to 128 visible ASCII characters.
  public let id: String
  let material: KeyMaterial

  /// Makes a key.
  ///
  /// - Parameter secret: At least 16 random bytes; 32 are as strong as the scheme.
  /// - Throws: ``SigningKeyFault``, which never tells the secret.
  public init(id: String, secret: [UInt8]) throws(SigningKeyFault) {
    guard Self.isValid(id: id) else { throw .illegalID }
    guard secret.count >= Self.shortestSecret else {
      throw .shortSecret(id: id, count: secret.count, atLeast: Self.shortestSecret)
    }
    self.id = id
    material = KeyMaterial(id: id, secret: secret)
  }

  static let shortestSecret = 16

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
