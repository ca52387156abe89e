/// A private or public key of an asymmetric algorithm.
package struct AsymmetricKey: Sendable {
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

  private let key: Backend.Key

  /// What the key can be used for.
  package var kind: Kind { key.kind }
  /// The length of an RSA key's modulus in bits; 0 for the other kinds.
  package var bitCount: Int { key.bitCount }
  /// Whether the key can sign.
  package var isPrivate: Bool { key.isPrivate }

  /// Reads a private key in PEM: PKCS #8, or the older forms for RSA and elliptic curves.
  ///
  /// Returns nil for any other text, also for an encrypted key.
  package init?(privatePEM text: String) { self.init(text, isPrivate: true) }

  /// Reads a public key in PEM: SubjectPublicKeyInfo, or PKCS #1 for RSA; nil for any other text.
  package init?(publicPEM text: String) { self.init(text, isPrivate: false) }

  /// The length of the longest text that is read as a key; an RSA key of 16,384 bits is shorter.
  private static let longestText = 16_384

  private init?(_ text: String, isPrivate: Bool) {
    guard text.utf8.count <= Self.longestText, let key = Backend.Key(pem: text, isPrivate: isPrivate) else {
      return nil
    }
    self.key = key
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
    try scheme.requireSupport()
    guard isPrivate, scheme.accepts(kind), let signature = key.sign(message, with: scheme) else {
      throw CryptographyError(operation: "a signature by \(scheme.rawValue)")
    }
    return signature
  }

  /// Whether a signature belongs to a message and this key.
  ///
  /// - Throws: ``CryptographyError`` if the scheme doesn't accept the kind of the key, or the library can't
  ///   compute it.
  package func verifies(
    _ signature: [UInt8], of message: [UInt8], with scheme: SignatureScheme
  ) throws(CryptographyError) -> Bool {
    try scheme.requireSupport()
    guard scheme.accepts(kind), let isVerified = key.verifies(signature, of: message, with: scheme) else {
      throw CryptographyError(operation: "a verification by \(scheme.rawValue)")
    }
    return isVerified
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
  /// RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2) with SHA-1, for old protocols that require it.
  case rsaPKCS1SHA1 = "RSA-PKCS1-SHA1"
  /// RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2) with SHA-256.
  case rsaPKCS1SHA256 = "RSA-PKCS1-SHA256"
  /// RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2) with SHA-512.
  case rsaPKCS1SHA512 = "RSA-PKCS1-SHA512"

  /// Whether a key of some kind can be used with the scheme.
  package func accepts(_ kind: AsymmetricKey.Kind) -> Bool {
    switch self {
    case .ed25519: kind == .ed25519
    case .ecdsaP256SHA256: kind == .p256
    case .rsaPSSSHA512: kind == .rsa || kind == .rsaPSS
    // A key that is marked for RSASSA-PSS must not be used otherwise (RFC 8017, appendix A.2.3).
    case .rsaPKCS1SHA1, .rsaPKCS1SHA256, .rsaPKCS1SHA512: kind == .rsa
    }
  }

  /// Whether the library has the scheme: CryptoKit has none with RSA.
  package var isSupported: Bool { Self.failure(of: self).reason != .unsupported }

  /// Checks that the library has the scheme, before a key is kept for it.
  ///
  /// - Throws: ``CryptographyError`` with the reason ``CryptographyError/Reason/unsupported``.
  package func requireSupport() throws(CryptographyError) {
    guard isSupported else { throw Self.failure(of: self) }
  }

  private static func failure(of scheme: SignatureScheme) -> CryptographyError {
    switch scheme {
    case .ed25519, .ecdsaP256SHA256: CryptographyError(operation: scheme.rawValue)
    case .rsaPSSSHA512, .rsaPKCS1SHA1, .rsaPKCS1SHA256, .rsaPKCS1SHA512: CryptographyError(operation: "RSA")
    }
  }
}

/// The two numbers of an ECDSA signature with P-256, which libcrypto encodes in DER and most protocols as 64
/// bytes.
struct ECDSASignature: Sendable, Hashable {
  private static let numberSize = 32
  private static let (sequenceTag, integerTag): (UInt8, UInt8) = (0x30, 0x02)

  /// r and s with 32 bytes each, most significant byte first.
  let bytes: [UInt8]

  /// Creates a signature from r and s; nil unless there are 64 bytes.
  init?(bytes: [UInt8]) {
    guard bytes.count == 2 * Self.numberSize else { return nil }
    self.bytes = bytes
  }

  /// Reads a signature in DER (RFC 3279, section 2.2.3); nil if it is malformed or a number is too long.
  init?(der: [UInt8]) {
    var rest = der[...]
    // Two numbers of 33 bytes are shorter than 128, so that each length is one byte.
    guard rest.popFirst() == Self.sequenceTag, let length = rest.popFirst(), Int(length) == rest.count,
      let r = Self.number(&rest), let s = Self.number(&rest), rest.isEmpty
    else { return nil }
    bytes = r + s
  }

  /// The signature in DER.
  var der: [UInt8] {
    let numbers = [bytes.prefix(Self.numberSize), bytes.suffix(Self.numberSize)].flatMap { number in
      var digits = number.drop { $0 == 0 }
      // A leading zero keeps the number positive, and is the only digit of zero.
      if digits.first.map({ $0 >= 0x80 }) ?? true { digits = [0] + digits }
      return [Self.integerTag, UInt8(digits.count)] + digits
    }
    return [Self.sequenceTag, UInt8(numbers.count)] + numbers
  }

  /// Reads a number that is not negative and has no leading zeros but the one of its sign.
  private static func number(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.popFirst() == integerTag, let length = rest.popFirst(), length > 0, length <= rest.count else {
      return nil
    }
    let number = rest.prefix(Int(length))
    rest = rest.dropFirst(Int(length))
    let digits = number.drop { $0 == 0 }
    let isMinimal =
      digits.count == number.count || number.count == 1
      || digits.count == number.count - 1 && digits.first.map { $0 >= 0x80 } == true
    guard number.first.map({ $0 < 0x80 }) == true, isMinimal, digits.count <= numberSize else { return nil }
    return [UInt8](repeating: 0, count: numberSize - digits.count) + digits
  }
}

/// X25519 (RFC 7748): two parties derive the same secret from their own private key and the other's public
/// one.
package struct KeyAgreement: Sendable {
  /// The length of a private key, a public key and a shared secret in bytes.
  package static let keySize = 32

  private let key: Backend.AgreementKey

  /// The public key, which the other party needs.
  package var publicKey: [UInt8] { key.publicKey }

  /// Creates a private key from 32 random bytes.
  ///
  /// - Throws: ``CryptographyError``, also for another number of bytes.
  package init(privateKey: [UInt8]) throws(CryptographyError) {
    guard privateKey.count == Self.keySize, let key = Backend.AgreementKey(privateKey) else {
      throw Self.failure
    }
    self.key = key
  }

  /// Returns the 32 bytes of the secret shared with the owner of a public key.
  ///
  /// - Throws: ``CryptographyError``, also if the public key has another length or leads to a secret of zeros
  ///   (RFC 7748, section 6.1).
  package func sharedSecret(with publicKey: [UInt8]) throws(CryptographyError) -> [UInt8] {
    guard publicKey.count == Self.keySize, let secret = key.sharedSecret(with: publicKey),
      !MessageAuthentication.areEqual(secret, [UInt8](repeating: 0, count: Self.keySize))
    else { throw Self.failure }
    return secret
  }

  private static var failure: CryptographyError { CryptographyError(operation: "X25519") }
}

extension KeyAgreement: CustomReflectable, CustomStringConvertible {
  /// Empty, so that `dump` and `Mirror` can't reveal the key.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  package var description: String { "(secret)" }
}
