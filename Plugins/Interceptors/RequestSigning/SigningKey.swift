import Cryptography
@_exported public import EmbeddedSecrets
import HTTPTypes
public import Interception
import Synchronization

/// A shared secret, and the id by which requests refer to it.
///
/// The host app supplies it from a keychain, its configuration, or a secret that the plugin EmbedSecrets has
/// written into the program; no text, mirror or error reveals the secret. A secret inside a publicly
/// available app limits abuse, but doesn't authenticate anyone.
public struct SigningKey: Sendable {
  /// The id sent with each request: 1 to 128 visible ASCII characters except commas.
  public let id: String
  let material: KeyMaterial

  /// Creates a key.
  ///
  /// - Parameter secret: At least 16 random bytes; 32 give the scheme's full strength.
  /// - Throws: ``SigningKeyError``, which never contains the secret.
  public init(id: String, secret: [UInt8]) throws(SigningKeyError) {
    try self.init(id: id, secret: EmbeddedSecret(bytes: secret))
  }

  /// Creates a key whose secret is in the program, in shares that are joined only while a key for the day is
  /// derived.
  ///
  /// - Parameter secret: A secret that the plugin EmbedSecrets has written into the program.
  /// - Throws: ``SigningKeyError``, which never contains the secret.
  public init(id: String, secret: EmbeddedSecret) throws(SigningKeyError) {
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

extension SigningKey: Concealed, CustomStringConvertible {
  /// The id, without the secret.
  public var description: String { "SigningKey(\(id))" }
}

extension SigningKey {
  /// Returns 64 hexadecimal digits that identify the id and secret, from which the secret can't be computed.
  ///
  /// A platform stores them instead of its callers' secrets, and compares them with those of a sealed key.
  ///
  /// - Throws: ``SigningError`` if the cryptographic library fails.
  public func fingerprint() throws(SigningError) -> String {
    do throws(CryptographyError) { return Hexadecimal.encode(try material.fingerprint()) } catch {
      throw SigningError(error)
    }
  }
}

/// A secret and the key derived from it for the current day; neither is ever printed.
final class KeyMaterial: Sendable {
  /// The field that identifies the key.
  let field: HTTPField
  private let id: String
  /// The shared secret, only for deriving and sealing.
  let secret: EmbeddedSecret
  // All signatures of a day use the same derived key; caching it saves two of three HMACs per request.
  private let latest = Mutex<(day: Int64, key: PreparedKey)?>(nil)

  // An idle hash context: creating one costs as much as hashing a hundred bytes.
  private let idleDigest = Mutex<Digest?>(nil)

  init(id: String, secret: EmbeddedSecret) {
    self.id = id
    self.secret = secret
    field = HTTPField(name: SignatureFields.key, value: id)
  }

  /// Returns the signing key of a day, counted from 1970-01-01 UTC.
  func preparedKey(day: Int64) throws(CryptographyError) -> PreparedKey {
    let known: PreparedKey? = latest.withLock { latest in
      guard let latest, latest.day == day else { return nil }
      return latest.key
    }
    if let known { return known }
    let key = try PreparedKey(derivedKey(day: day))
    latest.withLock { $0 = (day, key) }
    return key
  }

  /// Calls a closure with a hash context.
  func withDigest<Result>(
    _ work: (inout Digest) throws(CryptographyError) -> Result
  ) throws(CryptographyError) -> Result {
    var digest: Digest
    if let idle = idleDigest.withLock({ $0.take() }) { digest = idle } else { digest = try Digest() }
    let result = try work(&digest)
    var idle: Digest? = digest
    idleDigest.withLock { swap(&$0, &idle) }
    return result
  }

  /// Returns 32 bytes that identify the id and secret, from which the secret can't be computed.
  func fingerprint() throws(CryptographyError) -> [UInt8] {
    var info = LengthPrefixed()
    info.append("SWITCHYARD-KEY-FINGERPRINT-V1")
    info.append(id)
    return try secret.withArray { secret throws(CryptographyError) in
      try MessageAuthentication.hkdfSHA256(secret: secret, info: info.bytes, size: Digest.size)
    }
  }

  /// Derives the key of a day, counted from 1970-01-01 UTC.
  func derivedKey(day: Int64) throws(CryptographyError) -> [UInt8] {
    var info = LengthPrefixed()
    info.append(CanonicalRequest.label)
    info.append(id)
    info.append(String(day))
    return try secret.withArray { secret throws(CryptographyError) in
      try MessageAuthentication.hkdfSHA256(secret: secret, info: info.bytes, size: Digest.size)
    }
  }
}

extension KeyMaterial: CustomReflectable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Empty, so that `dump` and `Mirror` can't reveal the secret.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  var description: String { "(secret)" }
  var debugDescription: String { description }
}
