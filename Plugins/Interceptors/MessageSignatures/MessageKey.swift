import Cryptography
@_exported public import EmbeddedSecrets
public import Interception

/// A key that signs messages or verifies their signatures, with its algorithm and the id by which signatures
/// refer to it.
///
/// The app supplies it from a keychain or its configuration; no text, mirror or error reveals a secret.
///
/// ```swift
/// let client = try MessageKey(id: "app-1", algorithm: .ed25519, privateKeyPEM: pem)
/// let shared = try MessageKey(id: "app-2", sharedSecret: secret)
/// ```
public struct MessageKey: Sendable {
  private enum Material: Sendable {
    case secret(PreparedKey)
    case pair(AsymmetricKey, SignatureScheme)
  }

  /// The minimum length of a shared secret in bytes.
  static let minimumSecretLength = 16
  /// The minimum length of an RSA key in bits.
  static let minimumRSALength = 2048

  /// The id (`keyid`): 1 to 256 printable ASCII characters.
  public let id: String
  /// The algorithm, the only one that the key is used with.
  package let algorithm: SignatureAlgorithm
  private let material: Material

  /// Creates a key for HMAC with SHA-256.
  ///
  /// - Parameters:
  ///   - id: The id (`keyid`): 1 to 256 printable ASCII characters.
  ///   - secret: At least 16 random bytes; 32 give the algorithm's full strength.
  /// - Throws: ``MessageKeyError``, which never contains the secret.
  public init(id: String, sharedSecret secret: [UInt8]) throws(MessageKeyError) {
    try Self.check(id)
    guard secret.count >= Self.minimumSecretLength else {
      throw MessageKeyError(.shortSecret(id: id, count: secret.count, atLeast: Self.minimumSecretLength))
    }
    self.id = id
    algorithm = .hmacSHA256
    do throws(CryptographyError) {
      // A key that is longer than a block is hashed first (RFC 2104, section 2).
      material = .secret(try PreparedKey(secret.count > 64 ? try Digest.sha256(secret) : secret))
    } catch { throw MessageKeyError(.cryptography(operation: error.operation)) }
  }

  /// Creates a key for HMAC with SHA-256 whose secret is in the program, in shares that are joined only for
  /// this.
  ///
  /// - Parameters:
  ///   - id: The id (`keyid`): 1 to 256 printable ASCII characters.
  ///   - secret: A secret that the plugin EmbedSecrets has written into the program.
  /// - Throws: ``MessageKeyError``, which never contains the secret.
  public init(id: String, sharedSecret secret: EmbeddedSecret) throws(MessageKeyError) {
    self = try secret.withArray { bytes throws(MessageKeyError) in try Self(id: id, sharedSecret: bytes) }
  }

  /// Creates a private key, which signs and verifies.
  ///
  /// - Parameters:
  ///   - id: The id (`keyid`): 1 to 256 printable ASCII characters.
  ///   - algorithm: An algorithm for keys of this kind.
  ///   - text: An unencrypted private key in PEM: PKCS #8, or the older forms for RSA and elliptic curves.
  /// - Throws: ``MessageKeyError``, which never contains the key.
  public init(
    id: String, algorithm: SignatureAlgorithm, privateKeyPEM text: String
  ) throws(MessageKeyError) {
    try self.init(id, algorithm, AsymmetricKey(privatePEM: text))
  }

  /// Creates a public key, which verifies.
  ///
  /// - Parameters:
  ///   - id: The id (`keyid`): 1 to 256 printable ASCII characters.
  ///   - algorithm: An algorithm for keys of this kind.
  ///   - text: A public key in PEM: SubjectPublicKeyInfo, or PKCS #1 for RSA.
  /// - Throws: ``MessageKeyError``.
  public init(id: String, algorithm: SignatureAlgorithm, publicKeyPEM text: String) throws(MessageKeyError) {
    try self.init(id, algorithm, AsymmetricKey(publicPEM: text))
  }

  private init(
    _ id: String, _ algorithm: SignatureAlgorithm, _ pair: AsymmetricKey?
  ) throws(MessageKeyError) {
    try Self.check(id)
    guard let pair else { throw MessageKeyError(.unreadableKey(id: id)) }
    guard let scheme = algorithm.scheme, scheme.accepts(pair.kind) else {
      throw MessageKeyError(.wrongKind(id: id, algorithm: algorithm, kind: pair.kind.rawValue))
    }
    if pair.kind == .rsa || pair.kind == .rsaPSS, pair.bitCount < Self.minimumRSALength {
      throw MessageKeyError(.shortKey(id: id, bits: pair.bitCount, atLeast: Self.minimumRSALength))
    }
    do throws(CryptographyError) { try scheme.requireSupport() } catch {
      throw MessageKeyError(.cryptography(operation: error.operation))
    }
    self.id = id
    self.algorithm = algorithm
    material = .pair(pair, scheme)
  }

  /// Whether the key can sign.
  package var canSign: Bool {
    switch material {
    case .secret: true
    case .pair(let pair, _): pair.isPrivate
    }
  }

  /// Returns the signature of a base.
  func sign(_ base: [UInt8]) throws(MessageSignatureError) -> [UInt8] {
    guard canSign else { throw MessageSignatureError(.publicKey(id: id)) }
    do throws(CryptographyError) {
      switch material {
      case .secret(let key): return try Self.tag(of: base, with: key)
      case .pair(let pair, let scheme): return try pair.sign(base, with: scheme)
      }
    } catch { throw MessageSignatureError(.cryptography(operation: error.operation)) }
  }

  /// Whether a signature belongs to a base.
  func verifies(_ signature: [UInt8], of base: [UInt8]) throws(MessageSignatureError) -> Bool {
    do throws(CryptographyError) {
      switch material {
      case .secret(let key):
        return MessageAuthentication.areEqual(try Self.tag(of: base, with: key), signature)
      case .pair(let pair, let scheme): return try pair.verifies(signature, of: base, with: scheme)
      }
    } catch { throw MessageSignatureError(.cryptography(operation: error.operation)) }
  }

  private static func tag(of base: [UInt8], with key: PreparedKey) throws(CryptographyError) -> [UInt8] {
    var digest = try Digest()
    return try key.tag(of: base, in: &digest)
  }

  private static func check(_ id: String) throws(MessageKeyError) {
    guard (1...256).contains(id.utf8.count), id.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw MessageKeyError(.illegalID)
    }
  }
}

extension MessageKey: Concealed, CustomStringConvertible {
  /// The id and the algorithm.
  public var description: String { "MessageKey(\(id), \(algorithm.rawValue))" }
}
