import Cryptography
import HTTPTypes
import Interception

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
  package static let maximumBodyLength = 1 << 20

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
  ///   - basePath: The path in front of version and method, which isn't hashed, such as "/api/".
  ///   - unsignedParameters: Query parameters of ``Kind/get`` that aren't hashed, such as those that all
  ///     requests have.
  /// - Throws: ``VendorSignatureError``, which never contains the value.
  public init(
    _ kind: Kind, apiKey: String, secret: String, basePath: String = "/", unsignedParameters: Set<String> = []
  ) throws(VendorSignatureError) {
    try self.init(
      kind, apiKey: apiKey, secret: secret, hash: .md5, basePath: basePath,
      unsignedParameters: unsignedParameters)
  }

  /// Creates a digest by another hash function, or with the secret elsewhere in the text that is hashed.
  package init(
    _ kind: Kind, apiKey: String, secret: String, hash: Hash,
    secretPosition: SecretPosition = .suffix, basePath: String = "/", unsignedParameters: Set<String> = []
  ) throws(VendorSignatureError) {
    guard SignatureText.isIdentifier(apiKey) else { throw VendorSignatureError(.illegalText("API key")) }
    guard (1...4_096).contains(secret.utf8.count) else { throw VendorSignatureError(.illegalText("secret")) }
    self.kind = kind
    self.apiKey = apiKey
    self.secret = CredentialMaterial(secret: Array(secret.utf8), sessionToken: nil)
    self.hash = hash
    self.secretPosition = secretPosition
    self.basePath = basePath
    self.unsignedParameters = unsignedParameters
  }
}

extension InsecureParameterDigest {
  /// What is hashed, and where the digest is sent.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// Query parameters and the API key; `api_key` and `sig` are added to the query.
    case get
    /// Path and query parameters; the API key is in the field `key`, the digest in the field `sig`.
    case restfulGet
    /// The parameters of a form body and the API key; `api_key` and `sig` are added to the query.
    case post
    /// Path, query parameters and the body's bytes; the API key is in the field `key`, the digest in the
    /// field `sig`.
    case restfulPost
  }

  /// The hash function.
  package enum Hash: Sendable, Hashable {
    /// MD5, which most old servers use.
    case md5
    /// SHA-256.
    case sha256
  }

  /// Where the secret is in the text that is hashed.
  package enum SecretPosition: Sendable, Hashable {
    /// After everything else.
    case suffix
    /// Before everything else, which permits length extension.
    case prefix
  }
}

extension InsecureParameterDigest: SignatureProfile {
  static let keyField = HTTPField.Name(signature: "key")
  static let digestField = HTTPField.Name(signature: "sig")
  static let keyItem = "api_key"
  static let digestItem = "sig"

  var bodyNeed: InterceptorTraits.RequestBodyNeed { coversBody ? .replayable : .untouched }

  func payloadUse(of head: HTTPRequest) -> PayloadUse {
    coversBody ? .bytes(limit: Self.maximumBodyLength) : .none
  }

  private var coversBody: Bool { kind == .post || kind == .restfulPost }

  func sign(
    _ request: SignedFacts, with key: Void, at time: WallTime
  ) throws(VendorSignatureError) -> SignatureParts {
    let target = request.head.path ?? ""
    let text = hashedText(target: target, body: request.bytes)
    let value: String
    do throws(CryptographyError) {
      let algorithm: HashAlgorithm = hash == .md5 ? .md5 : .sha256
      value = Hexadecimal.encode(try algorithm.hash(of: text))
    } catch { throw VendorSignatureError(error) }
    var parts = SignatureParts()
    switch kind {
    case .get, .post:
      let names = QueryItems(target).items.map(\.name)
      guard !names.contains(Array(Self.digestItem.utf8)), !names.contains(Array(Self.keyItem.utf8)) else {
        throw VendorSignatureError(.alreadySigned("the query item \(Self.digestItem) or \(Self.keyItem)"))
      }
      var items = CanonicalText(reserving: 128)
      items.append("\(Self.keyItem)=")
      items.append(encoding: apiKey.utf8)
      items.append("&\(Self.digestItem)=\(value)")
      parts.path = TargetParts.adding(items.string, to: target)
    case .restfulGet, .restfulPost:
      parts.fields = [
        HTTPField(name: Self.keyField, value: apiKey), HTTPField(unindexed: Self.digestField, value),
      ]
      parts.credentialFields = [Self.keyField, Self.digestField]
    }
    return parts
  }

  /// Returns the text that is hashed.
  func hashedText(target: String, body: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    if secretPosition == .prefix { text += secret.secret }
    switch kind {
    case .get:
      let signed = QueryItems(target).items.filter {
        !unsignedParameters.contains(String(decoding: $0.name, as: UTF8.self))
      }
      text += Self.sorted(signed, and: keyParameter)
    case .post:
      text += Self.sorted(QueryItems("?" + String(decoding: body, as: UTF8.self)).items, and: keyParameter)
    case .restfulGet:
      text += Array(methodPath(target).utf8) + Self.sorted(QueryItems(target).items)
    case .restfulPost:
      text += Array(methodPath(target).utf8) + Self.sorted(QueryItems(target).items) + body
    }
    if secretPosition == .suffix { text += secret.secret }
    return text
  }

  private var keyParameter: [UInt8] { Array("\(Self.keyItem)=\(apiKey)".utf8) }

  /// Returns version and method, such as `v1/houses.list`: the path without the base path.
  private func methodPath(_ target: String) -> String {
    let path = Substring(TargetParts(target).path)
    let rest = path.hasPrefix(basePath) ? path.dropFirst(basePath.count) : path
    return String(rest.drop { $0 == "/" })
  }

  private static func sorted(_ items: [QueryItems.Item], and other: [UInt8]? = nil) -> [UInt8] {
    var pairs = items.filter { !$0.value.isEmpty }.map { $0.name + [UInt8(ascii: "=")] + $0.value }
    if let other { pairs.append(other) }
    return Array(pairs.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [UInt8(ascii: "&")]))
  }
}

extension InsecureParameterDigest: CustomReflectable {
  /// The kind, without the secret.
  public var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }
}
