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
