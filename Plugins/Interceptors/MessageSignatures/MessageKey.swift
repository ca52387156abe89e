import Cryptography
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
  public let algorithm: SignatureAlgorithm
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
      throw .shortSecret(id: id, count: secret.count, atLeast: Self.minimumSecretLength)
    }
    self.id = id
    algorithm = .hmacSHA256
    do throws(CryptographyError) {
      // A key that is longer than a block is hashed first (RFC 2104, section 2).
      material = .secret(try PreparedKey(secret.count > 64 ? try Digest.sha256(secret) : secret))
    } catch { throw .cryptography(operation: error.operation) }
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
    guard let pair else { throw .unreadableKey(id: id) }
    guard let scheme = algorithm.scheme, scheme.accepts(pair.kind) else {
      throw .wrongKind(id: id, algorithm: algorithm, kind: pair.kind.rawValue)
    }
    if pair.kind == .rsa || pair.kind == .rsaPSS, pair.bitCount < Self.minimumRSALength {
      throw .shortKey(id: id, bits: pair.bitCount, atLeast: Self.minimumRSALength)
    }
    do throws(CryptographyError) { try scheme.requireSupport() } catch {
      throw .cryptography(operation: error.operation)
    }
    self.id = id
    self.algorithm = algorithm
    material = .pair(pair, scheme)
  }

  /// Whether the key can sign.
  public var canSign: Bool {
    switch material {
    case .secret: true
    case .pair(let pair, _): pair.isPrivate
    }
  }

  /// Returns the signature of a base.
  func sign(_ base: [UInt8]) throws(MessageSignatureError) -> [UInt8] {
    guard canSign else { throw .publicKey(id: id) }
    do throws(CryptographyError) {
      switch material {
      case .secret(let key): return try Self.tag(of: base, with: key)
      case .pair(let pair, let scheme): return try pair.sign(base, with: scheme)
      }
    } catch { throw .cryptography(operation: error.operation) }
  }

  /// Whether a signature belongs to a base.
  func verifies(_ signature: [UInt8], of base: [UInt8]) throws(MessageSignatureError) -> Bool {
    do throws(CryptographyError) {
      switch material {
      case .secret(let key):
        return MessageAuthentication.areEqual(try Self.tag(of: base, with: key), signature)
      case .pair(let pair, let scheme): return try pair.verifies(signature, of: base, with: scheme)
      }
    } catch { throw .cryptography(operation: error.operation) }
  }

  private static func tag(of base: [UInt8], with key: PreparedKey) throws(CryptographyError) -> [UInt8] {
    var digest = try Digest()
    return try key.tag(of: base, in: &digest)
  }

  private static func check(_ id: String) throws(MessageKeyError) {
    guard (1...256).contains(id.utf8.count), id.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw .illegalID
    }
  }
}

extension MessageKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The id and the algorithm.
  public var description: String { "MessageKey(\(id), \(algorithm.rawValue))" }
  /// The id and the algorithm.
  public var debugDescription: String { description }
  /// The id and the algorithm.
  public var customMirror: Mirror { Mirror(self, children: ["id": id, "algorithm": algorithm.rawValue]) }
}

/// A signature algorithm of RFC 9421, section 3.3.
///
/// A key has exactly one, so that a peer can't choose another for it.
public enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// HMAC with SHA-256 and a shared secret.
  case hmacSHA256 = "hmac-sha256"
  /// Ed25519 (RFC 8032).
  case ed25519 = "ed25519"
  /// ECDSA with the curve P-256 and SHA-256.
  case ecdsaP256SHA256 = "ecdsa-p256-sha256"
  /// RSASSA-PSS with SHA-512.
  case rsaPSSSHA512 = "rsa-pss-sha512"
  /// RSASSA-PKCS1-v1_5 with SHA-256, for peers that have nothing newer.
  case rsaPKCS1SHA256 = "rsa-v1_5-sha256"

  /// The scheme of a public-key algorithm; nil for HMAC.
  var scheme: SignatureScheme? {
    switch self {
    case .hmacSHA256: nil
    case .ed25519: .ed25519
    case .ecdsaP256SHA256: .ecdsaP256SHA256
    case .rsaPSSSHA512: .rsaPSSSHA512
    case .rsaPKCS1SHA256: .rsaPKCS1SHA256
    }
  }
}

/// The reason why a key for message signatures is invalid.
public enum MessageKeyError: Error, LoggableError, Sendable, Hashable {
  /// The id is empty, too long, or has characters that are not printable ASCII.
  case illegalID
  /// The secret is too short to be safe; the counts are bytes.
  case shortSecret(id: String, count: Int, atLeast: Int)
  /// The text is no key in PEM, or an encrypted one.
  case unreadableKey(id: String)
  /// The key can't be used with the algorithm.
  case wrongKind(id: String, algorithm: SignatureAlgorithm, kind: String)
  /// The RSA key is too short to be safe.
  case shortKey(id: String, bits: Int, atLeast: Int)
  /// The cryptographic library could not prepare the key, or lacks the algorithm: CryptoKit has no RSA.
  case cryptography(operation: String)
}

extension MessageKeyError: CustomStringConvertible {
  /// The fault and the remedy, without the key.
  public var description: String {
    switch self {
    case .illegalID: "The id of a message key is not valid; use 1 to 256 printable ASCII characters."
    case .shortSecret(let id, let count, let least):
      "The secret of the message key \"\(id)\" has \(count) bytes; use at least \(least) random bytes."
    case .unreadableKey(let id):
      "The message key \"\(id)\" can't be read; give an unencrypted private key or a public key in PEM."
    case .wrongKind(let id, let algorithm, let kind):
      "The message key \"\(id)\" is \(kind), which \(algorithm.rawValue) doesn't use; choose the algorithm of the key."
    case .shortKey(let id, let bits, let least):
      "The message key \"\(id)\" has \(bits) bits; use an RSA key of at least \(least) bits."
    case .cryptography(let operation): CryptographyError(operation: operation).description
    }
  }
}

/// Provides the key with which a request is signed.
///
/// Conform to it if the key comes from a keychain, differs by service, or changes while the app runs. For one
/// key or a fixed set, use ``MessageKeys``.
public protocol MessageKeySource: Sendable {
  /// Returns the key for a request, or nil to send it unsigned, for example to a third-party host.
  ///
  /// It is called for each attempt, so a rotated key takes effect with the next one. If it throws, the
  /// request fails.
  func messageKey(for request: Request) async throws -> MessageKey?

  /// Returns on whose behalf a request is signed; nil, the default, if the source doesn't know.
  ///
  /// It must return at once, without obtaining a key. It is `.app` if the key is the same for every user, or
  /// if the request is not signed. Without an identity, and without a partition that the caller has set,
  /// requests share no transfers, and of their responses only public ones are stored.
  func identity(for request: Request) -> Request.Identity?
}

extension MessageKeySource {
  /// Nil: the account is not known.
  public func identity(for request: Request) -> Request.Identity? { nil }
}

/// Looks up the keys whose signatures are accepted.
///
/// Conform to it if keys change while the program runs; ``MessageKeys`` is a fixed set.
public protocol TrustedMessageKeySource: Sendable {
  /// Returns the key with an id, or nil if it is unknown or no longer accepted.
  func messageKey(id: String) -> MessageKey?
}

/// A fixed set of keys: one to sign with, and all of them accepted for verification.
public struct MessageKeys: MessageKeySource, TrustedMessageKeySource {
  let current: MessageKey
  private let accepted: [String: MessageKey]
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
    _ current: MessageKey, accepting others: [MessageKey] = [], identity: Request.Identity? = nil
  ) {
    self.current = current
    self.identity = identity ?? .holder(ofDigest: HashValue.text(of: "message key", current.id))
    accepted = Dictionary(([current] + others).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the current key, for any request.
  public func messageKey(for request: Request) async throws -> MessageKey? { current }

  /// Returns the identity of the current key, for any request.
  public func identity(for request: Request) -> Request.Identity? { identity }

  /// Returns the key with an id.
  public func messageKey(id: String) -> MessageKey? { accepted[id] }
}
