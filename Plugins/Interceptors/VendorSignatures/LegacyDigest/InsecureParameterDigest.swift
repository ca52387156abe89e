/// A digest of parameters and a secret, which doesn't withstand an attacker, for old servers.
///
/// * With the secret in front, an attacker who sees one request can append parameters to it and compute the
///   digest of the result, without the secret: a length extension of MD5 or SHA-256.
/// * Names and values aren't separated unambiguously: requests with different parameters have the same
///   digest.
/// * There is neither a time nor a nonce, so that a recorded request can be sent again at any time.
/// * MD5 isn't collision-resistant, and method, host and fields aren't covered.
///
/// Use it only over https, for a server that can't be changed, and treat the digest as an obstacle to abuse,
/// not as a proof of the sender. For servers of your own, use `RequestSigning`, against which none of this
/// works.
///
/// The text that is hashed consists of the path (only ``Kind/restfulGet`` and ``Kind/restfulPost``), the
/// sorted parameters, the body (only ``Kind/restfulPost``), and the secret. Parameters are decoded, written
/// as `name=value`, sorted as a whole and joined by ampersands; those with an empty value are left out.
///
/// ```swift
/// let digest = try InsecureParameterDigest(.get, apiKey: "app-7", secret: "from-the-keychain")
/// let legacy = VendorSignatureInterceptor(digest).only(for: .authority("old.example.com"))
/// ```
public struct InsecureParameterDigest: Sendable {
  /// The maximum number of bytes of a body that is read to be hashed.
  public static let maximumBodyLength = 1 << 20

  let kind: Kind
  let apiKey: String
  let secret: CredentialMaterial
  let hash: Hash
  let secretPosition: SecretPosition
  let basePath: String
  let unsignedParameters: Set<String>

  /// Creates a digest.
  ///
  /// - Parameters:
  ///   - kind: What is hashed, and where the digest is sent.
  ///   - apiKey: The id that the server knows the app by.
  ///   - secret: The secret that the server shares with the app.
  ///   - hash: The hash function.
  ///   - secretPosition: Where the secret is in the text that is hashed.
  ///   - basePath: The path in front of version and method, which isn't hashed, such as "/api/".
  ///   - unsignedParameters: Query parameters of ``Kind/get`` that aren't hashed, such as those that all
  ///     requests have.
  /// - Throws: ``VendorSignatureError/illegalText(_:)``, which never contains the value.
  public init(
    _ kind: Kind, apiKey: String, secret: String, hash: Hash = .md5,
    secretPosition: SecretPosition = .suffix, basePath: String = "/", unsignedParameters: Set<String> = []
  ) throws(VendorSignatureError) {
    guard SignatureText.isIdentifier(apiKey) else { throw .illegalText("API key") }
    guard (1...4_096).contains(secret.utf8.count) else { throw .illegalText("secret") }
    self.kind = kind
    self.apiKey = apiKey
    self.secret = CredentialMaterial(secret: Array(secret.utf8), sessionToken: nil)
    self.hash = hash
    self.secretPosition = secretPosition
    self.basePath = basePath
    self.unsignedParameters = unsignedParameters
  }
}
