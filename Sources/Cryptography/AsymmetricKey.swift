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
