import COpenSSL

/// A private or public key of libcrypto, which owns it.
// Safe to send: libcrypto's key is not changed after it was read, and its use is thread-safe.
package final class AsymmetricKey: @unchecked Sendable {
  /// What a key can be used for.
  package enum Kind: String, Sendable, Hashable {
    case ed25519 = "Ed25519"
    case x25519 = "X25519"
    case p256 = "P-256"
    case rsa = "RSA"
    /// An RSA key that is marked for RSASSA-PSS only.
    case rsaPSS = "RSA-PSS"
    case other = "of another kind"
  }

  /// What the key can be used for.
  package let kind: Kind
  /// The length of an RSA key's modulus in bits; for the other kinds, that of the field.
  package let bitCount: Int
  /// Whether the key can sign.
  package let isPrivate: Bool
  let key: OpaquePointer

  /// Takes ownership of a key of libcrypto.
  init(owning key: OpaquePointer, isPrivate: Bool) {
    self.key = key
    self.isPrivate = isPrivate
    kind = Self.kind(of: key)
    bitCount = Int(EVP_PKEY_get_bits(key))
  }

  deinit { EVP_PKEY_free(key) }

  /// Reads a private key in PEM: PKCS #8, or the older forms for RSA and elliptic curves.
  ///
  /// Returns nil for any other text, also for an encrypted key.
  package convenience init?(privatePEM text: String) {
    guard let key = Self.read(text, isPrivate: true) else { return nil }
    self.init(owning: key, isPrivate: true)
  }

  /// Reads a public key in PEM: SubjectPublicKeyInfo, or PKCS #1 for RSA; nil for any other text.
  package convenience init?(publicPEM text: String) {
    guard let key = Self.read(text, isPrivate: false) else { return nil }
    self.init(owning: key, isPrivate: false)
  }

  /// The length of the longest text that is read as a key; an RSA key of 16,384 bits is shorter.
  private static let longestText = 16_384

  private static func read(_ text: String, isPrivate: Bool) -> OpaquePointer? {
    guard text.utf8.count <= longestText else { return nil }
    var text = text
    let key: OpaquePointer? = text.withUTF8 { bytes in
      guard let source = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
      defer { BIO_free(source) }
      // Without a callback libcrypto asks for a password on the terminal.
      return isPrivate
        ? PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil)
        : PEM_read_bio_PUBKEY(source, nil, { _, _, _, _ in -1 }, nil)
    }
    if key == nil { ERR_clear_error() }
    return key
  }

  private static func kind(of key: OpaquePointer) -> Kind {
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
}

extension AsymmetricKey: CustomReflectable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Empty, so that `dump` and `Mirror` can't reveal the key.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  package var description: String { "(key)" }
  package var debugDescription: String { description }
}

extension AsymmetricKey {
  /// Returns the signature of a message.
  ///
  /// - Throws: ``CryptographyError``, also if the key is public or of a kind that the scheme doesn't accept.
  package func sign(_ message: [UInt8], with scheme: SignatureScheme) throws(CryptographyError) -> [UInt8] {
    guard isPrivate, scheme.accepts(kind), let context = EVP_MD_CTX_new() else {
      throw CryptographyError(operation: "a signature by \(scheme.rawValue)")
    }
    defer { EVP_MD_CTX_free(context) }
    var parameters: OpaquePointer?
    var count = 0
    guard EVP_DigestSignInit_ex(context, &parameters, scheme.hashName, nil, nil, key, nil) == 1,
      Self.setPadding(of: scheme, in: parameters),
      EVP_DigestSign(context, nil, &count, message, message.count) == 1
    else { throw failure("a signature by", scheme) }
    var signature = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
      throw failure("a signature by", scheme)
    }
    signature.removeLast(signature.count - count)
    guard scheme == .ecdsaP256SHA256 else { return signature }
    guard let pair = ECDSASignature(der: signature) else { throw failure("a signature by", scheme) }
    return pair.bytes
  }

  /// Whether a signature belongs to a message and this key.
  ///
  /// - Throws: ``CryptographyError`` if the scheme doesn't accept the kind of the key, or libcrypto can't
  ///   compute it.
  package func verifies(
    _ signature: [UInt8], of message: [UInt8], with scheme: SignatureScheme
  ) throws(CryptographyError) -> Bool {
    guard scheme.accepts(kind), let context = EVP_MD_CTX_new() else {
      throw CryptographyError(operation: "a verification by \(scheme.rawValue)")
    }
    defer { EVP_MD_CTX_free(context) }
    var signature = signature
    if scheme == .ecdsaP256SHA256 {
      guard let encoded = ECDSASignature(bytes: signature)?.der() else { return false }
      signature = encoded
    }
    var parameters: OpaquePointer?
    guard EVP_DigestVerifyInit_ex(context, &parameters, scheme.hashName, nil, nil, key, nil) == 1,
      Self.setPadding(of: scheme, in: parameters)
    else { throw failure("a verification by", scheme) }
    let isVerified = EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    // A signature of another length or form is a failure of libcrypto too, which stays in the thread's queue.
    if !isVerified { ERR_clear_error() }
    return isVerified
  }

  private static func setPadding(of scheme: SignatureScheme, in parameters: OpaquePointer?) -> Bool {
    switch scheme {
    case .ed25519, .ecdsaP256SHA256: true
    case .rsaPKCS1SHA256: EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PADDING) == 1
    case .rsaPSSSHA512:
      EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, 64) == 1
    }
  }

  private func failure(_ what: String, _ scheme: SignatureScheme) -> CryptographyError {
    ERR_clear_error()
    return CryptographyError(operation: "\(what) \(scheme.rawValue)")
  }
}

/// A public-key signature scheme, with the hash and the padding that protocols prescribe for it.
package enum SignatureScheme: String, Sendable, Hashable, CaseIterable {
  /// Ed25519 (RFC 8032); the signature has 64 bytes.
  case ed25519 = "Ed25519"
  /// ECDSA with the curve P-256 and SHA-256; the signature is r and s with 32 bytes each, not ASN.1.
  case ecdsaP256SHA256 = "ECDSA-P256-SHA256"
  /// RSASSA-PSS (RFC 8017, section 8.1) with SHA-512 for the message and the mask, and a salt of 64 bytes.
  case rsaPSSSHA512 = "RSA-PSS-SHA512"
  /// RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2) with SHA-256.
  case rsaPKCS1SHA256 = "RSA-PKCS1-SHA256"

  /// Whether a key of some kind can be used with the scheme.
  package func accepts(_ kind: AsymmetricKey.Kind) -> Bool {
    switch self {
    case .ed25519: kind == .ed25519
    case .ecdsaP256SHA256: kind == .p256
    case .rsaPSSSHA512: kind == .rsa || kind == .rsaPSS
    // A key that is marked for RSASSA-PSS must not be used otherwise (RFC 8017, appendix A.2.3).
    case .rsaPKCS1SHA256: kind == .rsa
    }
  }

  /// The hash that libcrypto computes first; nil if the scheme hashes by itself.
  var hashName: String? {
    switch self {
    case .ed25519: nil
    case .ecdsaP256SHA256, .rsaPKCS1SHA256: "SHA256"
    case .rsaPSSSHA512: "SHA512"
    }
  }
}

/// The two numbers of an ECDSA signature with P-256, which libcrypto encodes in DER and most protocols as 64
/// bytes.
package struct ECDSASignature: Sendable, Hashable {
  private static let numberSize = 32

  /// r and s with 32 bytes each, most significant byte first.
  package let bytes: [UInt8]

  /// Creates a signature from r and s; nil unless there are 64 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 2 * Self.numberSize else { return nil }
    self.bytes = bytes
  }

  /// Reads a signature in DER (RFC 3279, section 2.2.3); nil if it is malformed or a number is too long.
  package init?(der: [UInt8]) {
    let numbers: [UInt8]? = der.withUnsafeBufferPointer { der in
      var start = der.baseAddress
      guard let signature = d2i_ECDSA_SIG(nil, &start, der.count) else { return nil }
      defer { ECDSA_SIG_free(signature) }
      guard start == der.baseAddress.map({ $0 + der.count }) else { return nil }
      var (r, s): (OpaquePointer?, OpaquePointer?) = (nil, nil)
      ECDSA_SIG_get0(signature, &r, &s)
      var numbers = [UInt8](repeating: 0, count: 2 * Self.numberSize)
      let isDone = numbers.withUnsafeMutableBufferPointer { numbers in
        guard let start = numbers.baseAddress else { return false }
        let size = Int32(Self.numberSize)
        return BN_bn2binpad(r, start, size) == size && BN_bn2binpad(s, start + Self.numberSize, size) == size
      }
      return isDone ? numbers : nil
    }
    guard let numbers else {
      ERR_clear_error()
      return nil
    }
    bytes = numbers
  }

  /// Returns the signature in DER, or nil if there is no memory.
  package func der() -> [UInt8]? {
    guard let signature = ECDSA_SIG_new() else { return nil }
    defer { ECDSA_SIG_free(signature) }
    let size = Int32(Self.numberSize)
    let (r, s) = bytes.withUnsafeBufferPointer { bytes in
      (
        BN_bin2bn(bytes.baseAddress, size, nil),
        BN_bin2bn(bytes.baseAddress.map { $0 + Self.numberSize }, size, nil)
      )
    }
    // Only on success does the signature own the numbers.
    guard let r, let s, ECDSA_SIG_set0(signature, r, s) == 1 else {
      BN_free(r)
      BN_free(s)
      return nil
    }
    let count = i2d_ECDSA_SIG(signature, nil)
    guard count > 0 else { return nil }
    var encoded = [UInt8](repeating: 0, count: Int(count))
    let written = encoded.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      return i2d_ECDSA_SIG(signature, &start)
    }
    return written == count ? encoded : nil
  }
}
