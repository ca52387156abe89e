import Cryptography
import Interception

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
