import Cryptography
import HTTPTypes
public import Interception
import Synchronization

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

/// The reason why a signing key is invalid.
public enum SigningKeyError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// The id is not valid in a header field.
  case illegalID
  /// The secret is too short to be safe.
  case shortSecret(id: String, count: Int, atLeast: Int)

  /// The fault and the remedy.
  public var description: String {
    switch self {
    case .illegalID:
      "The id of a signing key is not valid in a header field; use 1 to 128 visible ASCII characters, no commas."
    case .shortSecret(let id, let count, let least):
      "The secret of the signing key \(id) has \(count) bytes; use at least \(least) random bytes."
    }
  }
}

/// Provides the key with which a request is signed.
///
/// Conform to it if the key comes from a keychain, differs by service, or changes while the app runs. For one
/// key or a fixed set, use ``SigningKeys``.
public protocol SigningKeySource: Sendable {
  /// Returns the key for a request, or nil to send it unsigned, for example to a third-party host.
  ///
  /// It is called for each attempt, so a rotated key takes effect with the next one. If it throws, the
  /// request fails.
  func signingKey(for request: Request) async throws -> SigningKey?

  /// Returns on whose behalf a request is signed; nil, the default, if the source doesn't know.
  ///
  /// It must return at once, without obtaining a key. It is `.app` if the key is the same for every user, or
  /// if the request is not signed. Without an identity, and without a partition that the caller has set,
  /// requests share no transfers, and of their responses only public ones are stored.
  func identity(for request: Request) -> Request.Identity?
}

extension SigningKeySource {
  /// Nil: the account is not known.
  public func identity(for request: Request) -> Request.Identity? { nil }
}

/// Looks up the keys that a server accepts.
///
/// Conform to it if keys change while the server runs; ``SigningKeys`` is a fixed set. During a rotation,
/// accept both the old and the new key.
public protocol VerificationKeySource: Sendable {
  /// Returns the key with an id, or nil if it is unknown or no longer accepted.
  func verificationKey(id: String) -> SigningKey?
}

/// A fixed set of keys: one to sign with, and all of them accepted for verification.
public struct SigningKeys: SigningKeySource, VerificationKeySource {
  let current: SigningKey
  private let accepted: [String: SigningKey]
  private let identity: Request.Identity?

  /// Creates a set of keys.
  ///
  /// - Parameters:
  ///   - current: The key used to sign.
  ///   - others: Additional keys that are accepted, such as the previous one during a rotation. If an id
  ///     occurs more than once, `current` and then the first key take precedence.
  ///   - identity: Whose key it is: `.app` if it is the same for every user, or `.account(_:)`. By default
  ///     its holder has no name but the key's id, so that users need ids of their own: responses to signed
  ///     requests, and cookies, are then stored in memory only, unless another interceptor or the caller
  ///     names the account.
  public init(
    _ current: SigningKey, accepting others: [SigningKey] = [], identity: Request.Identity? = nil
  ) {
    self.current = current
    self.identity = identity ?? .holder(ofDigest: HashValue.text(of: "signing key", current.id))
    accepted = Dictionary(([current] + others).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the current key, for any request.
  public func signingKey(for request: Request) async throws -> SigningKey? { current }

  /// Returns the identity of the current key, for any request.
  public func identity(for request: Request) -> Request.Identity? { identity }

  /// Returns the key with an id.
  public func verificationKey(id: String) -> SigningKey? { accepted[id] }
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
  let secret: [UInt8]
  // All signatures of a day use the same derived key; caching it saves two of three HMACs per request.
  private let latest = Mutex<(day: Int64, key: PreparedKey)?>(nil)

  // An idle hash context: creating one costs as much as hashing a hundred bytes.
  private let idleDigest = Mutex<Digest?>(nil)

  init(id: String, secret: [UInt8]) {
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
    return try MessageAuthentication.hkdfSHA256(secret: secret, info: info.bytes, size: Digest.size)
  }

  /// Derives the key of a day, counted from 1970-01-01 UTC.
  func derivedKey(day: Int64) throws(CryptographyError) -> [UInt8] {
    var info = LengthPrefixed()
    info.append(CanonicalRequest.label)
    info.append(id)
    info.append(String(day))
    return try MessageAuthentication.hkdfSHA256(secret: secret, info: info.bytes, size: Digest.size)
  }
}

extension KeyMaterial: CustomReflectable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Empty, so that `dump` and `Mirror` can't reveal the secret.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  var description: String { "(secret)" }
  var debugDescription: String { description }
}
