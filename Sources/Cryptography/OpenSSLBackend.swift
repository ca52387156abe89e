#if !canImport(CryptoKit)
import COpenSSL

/// The primitives of OpenSSL's libcrypto, which uses the processor's instructions for hashes and AES.
enum OpenSSLBackend {
  static let name = "libcrypto"
  /// What to do if an operation fails.
  static let remedy = "check its configuration (openssl.cnf) and the free memory"
  /// The operations, by the names in errors, that the library doesn't have.
  static let unsupportedOperations: Set<String> = []

  // MARK: Hashes

  private static let md5 = FetchedHash("MD5")
  private static let sha1 = FetchedHash("SHA1")
  private static let sha256 = FetchedHash("SHA256")
  private static let sha512 = FetchedHash("SHA512")
  private static let sha512By256 = FetchedHash("SHA512-256")

  private static func algorithm(_ kind: HashKind) -> OpaquePointer? {
    switch kind {
    case .md5: md5.algorithm
    case .sha1: sha1.algorithm
    case .sha256: sha256.algorithm
    case .sha512: sha512.algorithm
    case .sha512By256: sha512By256.algorithm
    }
  }

  /// Whether libcrypto provides a hash function; its configuration may forbid it.
  static func isAvailable(_ kind: HashKind) -> Bool { algorithm(kind) != nil }

  /// Writes the hash of bytes to memory of its size; returns false if it can't be computed.
  static func hash(
    _ bytes: [UInt8], with kind: HashKind, into memory: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let algorithm = algorithm(kind) else { return false }
    let output = memory.bindMemory(to: UInt8.self).baseAddress
    return EVP_Digest(bytes, bytes.count, output, nil, algorithm, nil) == 1
  }

  /// The state of a hash function, in a context that libcrypto allocates.
  // Safe to send: the context is mutated only through this value, which can't be copied.
  struct Hash: ~Copyable, @unchecked Sendable {
    private let context: OpaquePointer
    private let algorithm: OpaquePointer

    /// Starts a hash; nil if libcrypto doesn't provide it.
    init?(_ kind: HashKind) {
      guard let algorithm = OpenSSLBackend.algorithm(kind), let context = EVP_MD_CTX_new() else { return nil }
      guard EVP_DigestInit_ex2(context, algorithm, nil) == 1 else {
        EVP_MD_CTX_free(context)
        return nil
      }
      self.context = context
      self.algorithm = algorithm
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Starts a new hash.
    mutating func restart() -> Bool { EVP_DigestInit_ex2(context, algorithm, nil) == 1 }

    /// Starts a new hash of the same function with the input that another one has consumed.
    mutating func restart(after other: borrowing Hash) -> Bool {
      EVP_MD_CTX_copy_ex(context, other.context) == 1
    }

    /// Adds bytes to the input.
    mutating func takes(_ bytes: UnsafeRawBufferPointer) -> Bool {
      EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
    }

    /// Writes the hash to memory of its size.
    mutating func finish(into memory: UnsafeMutableRawBufferPointer) -> Bool {
      EVP_DigestFinal_ex(context, memory.bindMemory(to: UInt8.self).baseAddress, nil) == 1
    }
  }

  // MARK: Authentication

  /// Returns the HMAC of a message (RFC 2104); nil if it can't be computed.
  static func authenticate(_ message: [UInt8], key: [UInt8], with kind: HashKind) -> [UInt8]? {
    var tag = [UInt8](repeating: 0, count: kind.size)
    var length: UInt32 = 0
    guard let algorithm = algorithm(kind), let keyLength = Int32(exactly: key.count),
      HMAC(algorithm, key, keyLength, message, message.count, &tag, &length) != nil,
      Int(length) == kind.size
    else { return nil }
    return tag
  }

  /// Whether two lists of the same length are equal, compared in constant time.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    CRYPTO_memcmp(left, right, left.count) == 0
  }

  /// Fills memory with random bytes; returns false if the generator fails.
  static func fillRandomly(_ memory: UnsafeMutableRawBufferPointer) -> Bool {
    guard let size = Int32(exactly: memory.count) else { return false }
    return RAND_bytes(memory.bindMemory(to: UInt8.self).baseAddress, size) == 1
  }

  // MARK: AES-256-GCM

  // A fetched algorithm is immutable and can be shared by threads.
  nonisolated(unsafe) private static let cipher: OpaquePointer? = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

  /// Whether libcrypto provides AES-256-GCM.
  static var hasCipher: Bool { cipher != nil }

  /// Returns the encrypted text, followed by the tag of 16 bytes; the nonce has 12 bytes.
  static func seal(
    _ text: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) -> [UInt8]? {
    var tag = [UInt8](repeating: 0, count: AuthenticatedCipher.tagSize)
    let encrypted = run(text, key: key, nonce: nonce, authenticating: data, encrypting: true) { context in
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
    }
    return encrypted.map { $0 + tag }
  }

  /// Returns the decrypted text, or nil if the tag is another one.
  static func open(
    _ text: [UInt8], tag: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) -> [UInt8]? {
    run(text, key: key, nonce: nonce, authenticating: data, encrypting: false, tag: tag)
  }

  /// Encrypts or decrypts; nil if libcrypto fails, which when decrypting includes a wrong tag.
  private static func run(
    _ text: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8], encrypting: Bool,
    tag: [UInt8] = [], after: (OpaquePointer) -> Bool = { _ in true }
  ) -> [UInt8]? {
    guard let length = Int32(exactly: text.count), let dataLength = Int32(exactly: data.count),
      let cipher, let context = EVP_CIPHER_CTX_new()
    else { return nil }
    defer { EVP_CIPHER_CTX_free(context) }
    var tag = tag
    var output = [UInt8](repeating: 0, count: text.count)
    var (count, last): (Int32, Int32) = (0, 0)
    let isDone =
      EVP_CipherInit_ex2(context, cipher, key, nonce, encrypting ? 1 : 0, nil) == 1
      && (encrypting || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1)
      && (data.isEmpty || EVP_CipherUpdate(context, nil, &count, data, dataLength) == 1)
      && (text.isEmpty || EVP_CipherUpdate(context, &output, &count, text, length) == 1)
      // GCM is a stream cipher: all bytes are written by now, and only the tag is computed or compared.
      && EVP_CipherFinal_ex(context, nil, &last) == 1 && last == 0 && after(context)
    guard isDone else {
      ERR_clear_error()
      return nil
    }
    return output
  }

  // MARK: X25519

  /// A private key for X25519 (RFC 7748), with its public key.
  struct AgreementKey: Sendable {
    private static let size = 32
    let publicKey: [UInt8]
    private let key: Key

    /// Creates a key from 32 bytes.
    init?(_ privateKey: [UInt8]) {
      guard let key = EVP_PKEY_new_raw_private_key_ex(nil, "X25519", nil, privateKey, privateKey.count) else {
        ERR_clear_error()
        return nil
      }
      self.key = Key(owning: key, isPrivate: true)
      var publicKey = [UInt8](repeating: 0, count: Self.size)
      var count = publicKey.count
      guard EVP_PKEY_get_raw_public_key(key, &publicKey, &count) == 1, count == Self.size else { return nil }
      self.publicKey = publicKey
    }

    /// Returns the secret shared with the owner of a public key of 32 bytes; nil if that is not possible.
    func sharedSecret(with publicKey: [UInt8]) -> [UInt8]? {
      guard let other = EVP_PKEY_new_raw_public_key_ex(nil, "X25519", nil, publicKey, publicKey.count) else {
        ERR_clear_error()
        return nil
      }
      defer { EVP_PKEY_free(other) }
      guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key.key, nil) else { return nil }
      defer { EVP_PKEY_CTX_free(context) }
      var secret = [UInt8](repeating: 0, count: Self.size)
      var count = secret.count
      guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, other) == 1,
        EVP_PKEY_derive(context, &secret, &count) == 1, count == Self.size
      else {
        ERR_clear_error()
        return nil
      }
      return secret
    }
  }
}

extension OpenSSLBackend {
  /// A private or public key of libcrypto, which owns it.
  // Safe to send: libcrypto's key is not changed after it was read, and its use is thread-safe.
  final class Key: @unchecked Sendable {
    let kind: AsymmetricKey.Kind
    /// The length of an RSA key's modulus in bits; 0 for the other kinds.
    let bitCount: Int
    let isPrivate: Bool
    let key: OpaquePointer

    /// Takes ownership of a key of libcrypto.
    init(owning key: OpaquePointer, isPrivate: Bool) {
      self.key = key
      self.isPrivate = isPrivate
      kind = Self.kind(of: key)
      bitCount = kind == .rsa || kind == .rsaPSS ? Int(EVP_PKEY_get_bits(key)) : 0
    }

    deinit { EVP_PKEY_free(key) }

    /// Reads an unencrypted key; nil for any other text.
    convenience init?(pem text: String, isPrivate: Bool) {
      var text = text
      let key: OpaquePointer? = text.withUTF8 { bytes in
        guard let source = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else {
          return nil
        }
        defer { BIO_free(source) }
        // Without a callback libcrypto asks for a password on the terminal.
        return isPrivate
          ? PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil)
          : PEM_read_bio_PUBKEY(source, nil, { _, _, _, _ in -1 }, nil)
      }
      guard let key else {
        ERR_clear_error()
        return nil
      }
      self.init(owning: key, isPrivate: isPrivate)
    }

    private static func kind(of key: OpaquePointer) -> AsymmetricKey.Kind {
      switch EVP_PKEY_get_base_id(key) {
      case EVP_PKEY_ED25519: return .ed25519
      case EVP_PKEY_X25519: return .x25519
      case EVP_PKEY_RSA: return .rsa
      case EVP_PKEY_RSA_PSS: return .rsaPSS
      case EVP_PKEY_EC:
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return .other }
        return name.prefix(count).elementsEqual("prime256v1".utf8.map(CChar.init)) ? .p256 : .other
      default: return .other
      }
    }

    /// Returns the signature of a message; nil if libcrypto fails.
    func sign(_ message: [UInt8], with scheme: SignatureScheme) -> [UInt8]? {
      guard let context = EVP_MD_CTX_new() else { return nil }
      defer { EVP_MD_CTX_free(context) }
      var parameters: OpaquePointer?
      var count = 0
      guard EVP_DigestSignInit_ex(context, &parameters, scheme.hashName, nil, nil, key, nil) == 1,
        Self.setPadding(of: scheme, in: parameters),
        EVP_DigestSign(context, nil, &count, message, message.count) == 1
      else { return Self.failure() }
      var signature = [UInt8](repeating: 0, count: count)
      guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
        return Self.failure()
      }
      signature.removeLast(signature.count - count)
      guard scheme == .ecdsaP256SHA256 else { return signature }
      return ECDSASignature(der: signature)?.bytes
    }

    /// Whether a signature belongs to a message and this key; nil if libcrypto fails.
    func verifies(_ signature: [UInt8], of message: [UInt8], with scheme: SignatureScheme) -> Bool? {
      guard let context = EVP_MD_CTX_new() else { return nil }
      defer { EVP_MD_CTX_free(context) }
      var signature = signature
      if scheme == .ecdsaP256SHA256 {
        guard let encoded = ECDSASignature(bytes: signature)?.der else { return false }
        signature = encoded
      }
      var parameters: OpaquePointer?
      guard EVP_DigestVerifyInit_ex(context, &parameters, scheme.hashName, nil, nil, key, nil) == 1,
        Self.setPadding(of: scheme, in: parameters)
      else { return Self.failure() }
      let isVerified = EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
      // A signature of another length or form is a failure of libcrypto too, which stays in the thread's
      // queue.
      if !isVerified { ERR_clear_error() }
      return isVerified
    }

    private static func setPadding(of scheme: SignatureScheme, in parameters: OpaquePointer?) -> Bool {
      switch scheme {
      case .ed25519, .ecdsaP256SHA256: true
      case .rsaPKCS1SHA1, .rsaPKCS1SHA256, .rsaPKCS1SHA512:
        EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PADDING) == 1
      case .rsaPSSSHA512:
        EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
          && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, 64) == 1
      }
    }

    /// Nil, after a failure whose reason would stay in the thread's queue.
    private static func failure<Value>() -> Value? {
      ERR_clear_error()
      return nil
    }
  }
}

extension SignatureScheme {
  /// The hash that libcrypto computes first; nil if the scheme hashes by itself.
  fileprivate var hashName: String? {
    switch self {
    case .ed25519: nil
    case .rsaPKCS1SHA1: "SHA1"
    case .ecdsaP256SHA256, .rsaPKCS1SHA256: "SHA256"
    case .rsaPSSSHA512, .rsaPKCS1SHA512: "SHA512"
    }
  }
}

/// A hash function of libcrypto, which is looked up once, because that costs more than a hash.
// An algorithm that was fetched is immutable, and OpenSSL documents that threads may share it.
private struct FetchedHash: @unchecked Sendable {
  /// The algorithm; nil if libcrypto doesn't provide it.
  let algorithm: OpaquePointer?

  init(_ name: String) { algorithm = EVP_MD_fetch(nil, name, nil) }
}
#endif
