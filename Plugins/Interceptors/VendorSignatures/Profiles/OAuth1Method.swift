import Cryptography
public import Interception

/// A signature method of OAuth 1.0a (RFC 5849, section 3.4), with its secrets.
///
/// Prefer `hmacSHA256` where the server knows it; the RFC itself defines only HMAC-SHA1, RSA-SHA1 and
/// PLAINTEXT. No text, mirror or error reveals a secret.
public struct OAuth1Method: Sendable {
  enum Kind: Sendable {
    case hmac(KeyedHash, OAuth1Secret)
    case rsa(SignatureScheme, AsymmetricKey)
    case plaintext(OAuth1Secret)
  }

  let kind: Kind
  /// The value of `oauth_signature_method`, such as "HMAC-SHA1".
  package let name: String

  /// HMAC-SHA1 with the secrets of the client and the token (section 3.4.2).
  public static func hmacSHA1(clientSecret: String, tokenSecret: String = "") -> OAuth1Method {
    .init(kind: .hmac(.sha1, OAuth1Secret(clientSecret, tokenSecret)), name: "HMAC-SHA1")
  }

  /// HMAC-SHA256, an extension that many servers know.
  public static func hmacSHA256(clientSecret: String, tokenSecret: String = "") -> OAuth1Method {
    .init(kind: .hmac(.sha256, OAuth1Secret(clientSecret, tokenSecret)), name: "HMAC-SHA256")
  }

  /// HMAC-SHA512, an extension that some servers know.
  package static func hmacSHA512(clientSecret: String, tokenSecret: String = "") -> OAuth1Method {
    .init(kind: .hmac(.sha512, OAuth1Secret(clientSecret, tokenSecret)), name: "HMAC-SHA512")
  }

  /// The secrets themselves (section 3.4.4); refused without https.
  public static func plaintext(clientSecret: String, tokenSecret: String = "") -> OAuth1Method {
    .init(kind: .plaintext(OAuth1Secret(clientSecret, tokenSecret)), name: "PLAINTEXT")
  }

  /// RSASSA-PKCS1-v1_5 with SHA-1 and the client's private key (section 3.4.3).
  ///
  /// - Parameter privateKey: An unencrypted key of at least 1024 bits in PEM.
  /// - Throws: ``VendorSignatureError`` for an invalid key, and wherever CryptoKit computes, which has no
  ///   RSA.
  public static func rsaSHA1(privateKey: String) throws(VendorSignatureError) -> OAuth1Method {
    try .init(rsa: .rsaPKCS1SHA1, privateKey, name: "RSA-SHA1")
  }

  /// RSASSA-PKCS1-v1_5 with SHA-256, an extension that some servers know.
  ///
  /// - Parameter privateKey: An unencrypted key of at least 1024 bits in PEM.
  /// - Throws: ``VendorSignatureError`` for an invalid key, and wherever CryptoKit computes, which has no
  ///   RSA.
  package static func rsaSHA256(privateKey: String) throws(VendorSignatureError) -> OAuth1Method {
    try .init(rsa: .rsaPKCS1SHA256, privateKey, name: "RSA-SHA256")
  }

  /// RSASSA-PKCS1-v1_5 with SHA-512, an extension that some servers know.
  ///
  /// - Parameter privateKey: An unencrypted key of at least 1024 bits in PEM.
  /// - Throws: ``VendorSignatureError`` for an invalid key, and wherever CryptoKit computes, which has no
  ///   RSA.
  package static func rsaSHA512(privateKey: String) throws(VendorSignatureError) -> OAuth1Method {
    try .init(rsa: .rsaPKCS1SHA512, privateKey, name: "RSA-SHA512")
  }

  /// Whether the signature is the secret itself.
  var isPlaintext: Bool { if case .plaintext = kind { true } else { false } }

  /// Returns the signature of a base string.
  func signature(of base: [UInt8]) throws(VendorSignatureError) -> String {
    do throws(CryptographyError) {
      switch kind {
      case .hmac(let hash, let secret): return Base64.encode(try hash.tag(key: secret.key, message: base))
      case .rsa(let scheme, let key): return Base64.encode(try key.sign(base, with: scheme))
      case .plaintext(let secret): return String(decoding: secret.key, as: UTF8.self)
      }
    } catch { throw VendorSignatureError(error) }
  }

  private init(kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// The minimum length of an RSA key in bits, which old servers still use; new keys have 2048 or more.
  private static let minimumKeyLength = 1_024

  private init(rsa scheme: SignatureScheme, _ pem: String, name: String) throws(VendorSignatureError) {
    guard let key = AsymmetricKey(privatePEM: pem), scheme.accepts(key.kind),
      key.bitCount >= Self.minimumKeyLength
    else { throw VendorSignatureError(.invalidPrivateKey) }
    do throws(CryptographyError) { try scheme.requireSupport() } catch { throw VendorSignatureError(error) }
    kind = .rsa(scheme, key)
    self.name = name
  }
}

extension OAuth1Method: Concealed, CustomStringConvertible {
  /// The name, without the secrets.
  public var description: String { "OAuth1Method(\(name))" }
}

/// The key of HMAC and PLAINTEXT: both secrets, percent-encoded and joined (RFC 5849, section 3.4.2).
///
/// It is never printed.
struct OAuth1Secret: Sendable {
  let key: [UInt8]

  init(_ clientSecret: String, _ tokenSecret: String) {
    var text = CanonicalText(reserving: 128)
    text.append(encoding: clientSecret.utf8)
    text.append(byte: UInt8(ascii: "&"))
    text.append(encoding: tokenSecret.utf8)
    key = text.bytes
  }
}

extension OAuth1Secret: CustomReflectable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Empty, so that `dump` and `Mirror` can't reveal the secrets.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  var description: String { "(secret)" }
  var debugDescription: String { description }
}
