#if canImport(CryptoKit)
import CryptoKit
#elseif SWITCHYARD_SWIFT_CRYPTO
import Crypto
#endif

#if canImport(CryptoKit) || SWITCHYARD_SWIFT_CRYPTO
extension CryptoKitBackend {
  /// A private or public key.
  ///
  /// Keys that CryptoKit has no use for, such as those for RSA, are read too, so that an error can name the
  /// kind.
  struct Key: Sendable {
    private enum Material: Sendable {
      case signsEd25519(Curve25519.Signing.PrivateKey)
      case verifiesEd25519(Curve25519.Signing.PublicKey)
      case signsP256(P256.Signing.PrivateKey)
      case verifiesP256(P256.Signing.PublicKey)
      case none
    }

    let kind: AsymmetricKey.Kind
    /// The length of an RSA key's modulus in bits; 0 for the other kinds.
    let bitCount: Int
    let isPrivate: Bool
    private let material: Material

    /// Reads an unencrypted key; nil for any other text.
    init?(pem text: String, isPrivate: Bool) {
      guard let encoded = isPrivate ? EncodedKey(privatePEM: text) : EncodedKey(publicPEM: text),
        let material = Self.material(of: encoded, isPrivate: isPrivate)
      else { return nil }
      kind = encoded.kind
      bitCount = encoded.bitCount
      self.isPrivate = isPrivate
      self.material = material
    }

    private static func material(of encoded: EncodedKey, isPrivate: Bool) -> Material? {
      let bytes = encoded.bytes
      switch (encoded.kind, isPrivate) {
      case (.ed25519, true):
        return (try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)).map { .signsEd25519($0) }
      case (.ed25519, false):
        return (try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)).map { .verifiesEd25519($0) }
      case (.p256, true):
        return (try? P256.Signing.PrivateKey(rawRepresentation: bytes)).map { .signsP256($0) }
      case (.p256, false):
        let key =
          bytes.first == 4
          ? try? P256.Signing.PublicKey(x963Representation: bytes)
          : try? P256.Signing.PublicKey(compressedRepresentation: bytes)
        return key.map { .verifiesP256($0) }
      case (.x25519, _), (.rsa, _), (.rsaPSS, _), (.other, _): return Material.none
      }
    }

    /// Returns the signature of a message; nil if CryptoKit fails.
    func sign(_ message: [UInt8], with scheme: SignatureScheme) -> [UInt8]? {
      switch material {
      case .signsEd25519(let key): (try? key.signature(for: message)).map { Array($0) }
      case .signsP256(let key): (try? key.signature(for: message)).map { Array($0.rawRepresentation) }
      case .verifiesEd25519, .verifiesP256, .none: nil
      }
    }

    /// Whether a signature belongs to a message and this key; nil if CryptoKit can't verify it.
    func verifies(_ signature: [UInt8], of message: [UInt8], with scheme: SignatureScheme) -> Bool? {
      switch material {
      case .signsEd25519(let key): key.publicKey.isValidSignature(signature, for: message)
      case .verifiesEd25519(let key): key.isValidSignature(signature, for: message)
      case .signsP256(let key): Self.isValid(signature, of: message, by: key.publicKey)
      case .verifiesP256(let key): Self.isValid(signature, of: message, by: key)
      case .none: nil
      }
    }

    private static func isValid(
      _ signature: [UInt8], of message: [UInt8], by key: P256.Signing.PublicKey
    ) -> Bool {
      guard let pair = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
      return key.isValidSignature(pair, for: message)
    }
  }
}

/// A key as it stands in PEM, for CryptoKit, which reads PEM with keys for elliptic curves of NIST alone.
struct EncodedKey: Sendable {
  let kind: AsymmetricKey.Kind
  /// The length of an RSA key's modulus in bits; 0 for the other kinds.
  var bitCount = 0
  /// The private key's scalar or seed, or the public key's point; empty for kinds that have none.
  var bytes: [UInt8] = []

  /// Reads PKCS #8 (RFC 5958), an elliptic curve's key (RFC 5915) or PKCS #1 (RFC 8017, appendix A.1.2).
  init?(privatePEM text: String) {
    guard
      let block = PEMBlock(text, labels: ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"]),
      let key =
        switch block.label {
        case "PRIVATE KEY": Self.pkcs8(block.bytes)
        case "EC PRIVATE KEY": Self.elliptic(block.bytes[...], curve: nil)
        default: Self.rsaPrivate(block.bytes[...], kind: .rsa)
        }
    else { return nil }
    self = key
  }

  /// Reads a SubjectPublicKeyInfo (RFC 5280, section 4.1) or PKCS #1 (RFC 8017, appendix A.1.1).
  init?(publicPEM text: String) {
    guard let block = PEMBlock(text, labels: ["PUBLIC KEY", "RSA PUBLIC KEY"]),
      let key =
        block.label == "PUBLIC KEY"
        ? Self.subjectPublicKey(block.bytes) : Self.rsaPublic(block.bytes[...], kind: .rsa)
    else { return nil }
    self = key
  }

  private init(_ kind: AsymmetricKey.Kind, bitCount: Int = 0, bytes: [UInt8] = []) {
    self.kind = kind
    self.bitCount = bitCount
    self.bytes = bytes
  }

  // MARK: Structures

  private static func pkcs8(_ der: [UInt8]) -> EncodedKey? {
    var outer = DERReader(der[...])
    guard var fields = outer.sequence(), outer.isAtEnd,
      let version = fields.value(.integer), version.elementsEqual([0]) || version.elementsEqual([1]),
      let algorithm = Algorithm(&fields), let key = fields.value(.octetString)
    else { return nil }
    // Attributes and a public key may follow, which say nothing more about the private key.
    switch algorithm.kind {
    case .ed25519, .x25519:
      var inner = DERReader(key)
      guard let seed = inner.value(.octetString), inner.isAtEnd, seed.count == 32 else { return nil }
      return EncodedKey(algorithm.kind, bytes: Array(seed))
    case .p256: return elliptic(key, curve: Algorithm.p256)
    case .rsa, .rsaPSS: return rsaPrivate(key, kind: algorithm.kind)
    case .other: return EncodedKey(.other)
    }
  }

  private static func subjectPublicKey(_ der: [UInt8]) -> EncodedKey? {
    var outer = DERReader(der[...])
    guard var fields = outer.sequence(), outer.isAtEnd, let algorithm = Algorithm(&fields),
      let bits = fields.value(.bitString), fields.isAtEnd, bits.first == 0
    else { return nil }
    let key = bits.dropFirst()
    switch algorithm.kind {
    case .ed25519, .x25519: return key.count == 32 ? EncodedKey(algorithm.kind, bytes: Array(key)) : nil
    case .p256: return EncodedKey(.p256, bytes: Array(key))
    case .rsa, .rsaPSS: return rsaPublic(key, kind: algorithm.kind)
    case .other: return EncodedKey(.other)
    }
  }

  /// - Parameter curve: The curve that the key's frame names; nil if only the key itself can name one.
  private static func elliptic(_ der: ArraySlice<UInt8>, curve: [UInt8]?) -> EncodedKey? {
    var outer = DERReader(der)
    guard var fields = outer.sequence(), outer.isAtEnd, fields.value(.integer)?.elementsEqual([1]) == true,
      let scalar = fields.value(.octetString)
    else { return nil }
    var named = curve
    if let parameters = fields.value(.parameters) {
      var inner = DERReader(parameters)
      guard let identifier = inner.value(.objectIdentifier), inner.isAtEnd else { return nil }
      guard curve == nil || identifier.elementsEqual(curve ?? []) else { return nil }
      named = Array(identifier)
    }
    guard let named else { return nil }
    guard named == Algorithm.p256 else { return EncodedKey(.other) }
    return scalar.count == 32 ? EncodedKey(.p256, bytes: Array(scalar)) : nil
  }

  private static func rsaPrivate(_ der: ArraySlice<UInt8>, kind: AsymmetricKey.Kind) -> EncodedKey? {
    var outer = DERReader(der)
    guard var fields = outer.sequence(), outer.isAtEnd, fields.value(.integer)?.elementsEqual([0]) == true,
      let modulus = fields.value(.integer)
    else { return nil }
    // The exponents, the primes and what is precomputed from them.
    for _ in 0..<7 { guard fields.value(.integer) != nil else { return nil } }
    return fields.isAtEnd ? EncodedKey(kind, bitCount: bitCount(of: modulus)) : nil
  }

  private static func rsaPublic(_ der: ArraySlice<UInt8>, kind: AsymmetricKey.Kind) -> EncodedKey? {
    var outer = DERReader(der)
    guard var fields = outer.sequence(), outer.isAtEnd, let modulus = fields.value(.integer),
      fields.value(.integer) != nil, fields.isAtEnd
    else { return nil }
    return EncodedKey(kind, bitCount: bitCount(of: modulus))
  }

  private static func bitCount(of number: ArraySlice<UInt8>) -> Int {
    let digits = number.drop { $0 == 0 }
    return digits.first.map { digits.count * 8 - $0.leadingZeroBitCount } ?? 0
  }

  /// An AlgorithmIdentifier (RFC 5280, section 4.1.1.2).
  private struct Algorithm {
    static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    let kind: AsymmetricKey.Kind

    init?(_ reader: inout DERReader) {
      guard var fields = reader.sequence(), let identifier = fields.value(.objectIdentifier) else {
        return nil
      }
      switch Array(identifier) {
      case [0x2B, 0x65, 0x70]: kind = .ed25519
      case [0x2B, 0x65, 0x6E]: kind = .x25519
      case [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]: kind = .rsa
      case [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A]: kind = .rsaPSS
      case [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]:
        kind = fields.value(.objectIdentifier)?.elementsEqual(Self.p256) == true ? .p256 : .other
      default: kind = .other
      }
    }
  }
}

/// A block of a text in PEM (RFC 7468).
struct PEMBlock {
  let label: String
  let bytes: [UInt8]

  /// Reads the first block with one of the labels; nil if there is none or it is malformed or encrypted.
  init?(_ text: String, labels: [String]) {
    var lines = text.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { line in
      line.prefix(line.count - line.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count)
    }[...]
    var found: String?
    while found == nil, let line = lines.popFirst() {
      found = labels.first { line.elementsEqual("-----BEGIN \($0)-----".utf8) }
    }
    guard let found, let end = lines.firstIndex(where: { $0.elementsEqual("-----END \(found)-----".utf8) }),
      // The fields of an encrypted block are no base 64.
      let bytes = Base64.decode(Array(lines[..<end].joined())[...])
    else { return nil }
    label = found
    self.bytes = bytes
  }
}

/// Reads values of DER (ITU-T X.690, section 10), one after another.
struct DERReader {
  /// The first byte of a value.
  enum Tag: UInt8 {
    case integer = 0x02
    case bitString = 0x03
    case octetString = 0x04
    case objectIdentifier = 0x06
    case sequence = 0x30
    /// The parameters of an elliptic curve's private key.
    case parameters = 0xA0
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// Returns the content of the next value, or nil, without a step, if it has another tag or is malformed.
  mutating func value(_ tag: Tag) -> ArraySlice<UInt8>? {
    var left = rest
    guard left.popFirst() == tag.rawValue, let first = left.popFirst() else { return nil }
    var length = Int(first)
    if first >= 0x80 {
      let size = Int(first & 0x7F)
      // Longer values don't occur in a key, and a length has one spelling only.
      guard (1...3).contains(size), left.count >= size, left.first != 0 else { return nil }
      length = left.prefix(size).reduce(0) { $0 << 8 | Int($1) }
      left = left.dropFirst(size)
      guard length >= 0x80 else { return nil }
    }
    guard length <= left.count else { return nil }
    rest = left.dropFirst(length)
    return left.prefix(length)
  }

  /// Returns a reader of the values in the next sequence.
  mutating func sequence() -> DERReader? { value(.sequence).map { DERReader($0) } }
}
#endif
