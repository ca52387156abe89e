import Cryptography
import HTTPTypes
import Interception

/// Signatures of OAuth 1.0a (RFC 5849), in the field `Authorization`.
///
/// The signature covers method, URI, query, the parameters of a form body, time and nonce, but neither
/// another body nor a field: use it only over https. For OAuth 2, use `RequestAuthorization`.
///
/// ```swift
/// let signature = try OAuth1Signature(
///   clientKey: "dpf43f3p2l4k3l03",
///   method: .hmacSHA256(clientSecret: "from-the-keychain", tokenSecret: "from-the-keychain"),
///   token: "nnch734d00sl2jdk")
/// let signing = VendorSignatureInterceptor(signature).only(for: .authority("photos.example.net"))
/// ```
public struct OAuth1Signature: Sendable {
  /// The maximum number of bytes of a form body, which is read to be signed.
  package static let maximumFormLength = 1 << 20

  private let clientKey: String
  private let method: OAuth1Method
  private let token: String?
  private let realm: String?
  private let parameters: [String: String]
  private let makeNonce: @Sendable () -> String

  /// Creates a profile for a client.
  ///
  /// - Parameters:
  ///   - clientKey: The client's identifier, `oauth_consumer_key`.
  ///   - method: The signature method with its secrets.
  ///   - token: The token, `oauth_token`; nil to obtain temporary credentials.
  ///   - realm: The realm, in printable ASCII characters without quotes and backslashes.
  ///   - parameters: Further protocol parameters, such as `oauth_callback`, `oauth_verifier` or
  ///     `oauth_version`.
  /// - Throws: ``VendorSignatureError`` for an empty client key, an illegal realm or a parameter whose name
  ///   doesn't begin with `oauth_` or that the signature itself sets.
  public init(
    clientKey: String, method: OAuth1Method, token: String? = nil, realm: String? = nil,
    parameters: [String: String] = [:]
  ) throws(VendorSignatureError) {
    try self.init(
      clientKey: clientKey, method: method, token: token, realm: realm, parameters: parameters,
      nonces: RandomNonce.next)
  }

  init(
    clientKey: String, method: OAuth1Method, token: String?, realm: String?, parameters: [String: String],
    nonces: @escaping @Sendable () -> String
  ) throws(VendorSignatureError) {
    guard (1...4_096).contains(clientKey.utf8.count) else {
      throw VendorSignatureError(.illegalText("client key"))
    }
    if let realm {
      let isLegal = realm.utf8.allSatisfy {
        (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
      guard isLegal else { throw VendorSignatureError(.illegalText("realm")) }
    }
    for name in parameters.keys {
      guard name.hasPrefix("oauth_"), SignatureText.isIdentifier(name), !Self.ownParameters.contains(name)
      else {
        throw VendorSignatureError(.illegalText("name of a protocol parameter"))
      }
    }
    self.clientKey = clientKey
    self.method = method
    self.token = token
    self.realm = realm
    self.parameters = parameters
    makeNonce = nonces
  }

  /// The holder of the keys, by the client key and the token.
  var holder: Request.Identity {
    .holder(ofDigest: HashValue.text(of: "client key", clientKey, token ?? ""))
  }

  private static let ownParameters: Set<String> = [
    "oauth_consumer_key", "oauth_token", "oauth_signature_method", "oauth_timestamp", "oauth_nonce",
    "oauth_signature",
  ]
}

extension OAuth1Signature: SignatureProfile {
  var bodyNeed: InterceptorTraits.RequestBodyNeed { .replayable }

  func payloadUse(of head: HTTPRequest) -> PayloadUse {
    Self.isForm(head) ? .bytes(limit: Self.maximumFormLength) : .none
  }

  func sign(
    _ request: SignedFacts, with key: Void, at time: WallTime
  ) throws(VendorSignatureError) -> SignatureParts {
    let head = request.head
    guard !head.headerFields.contains(.authorization) else {
      throw VendorSignatureError(.alreadySigned("the field Authorization"))
    }
    guard !method.isPlaintext || request.usesTLS else {
      throw VendorSignatureError(.requiresTLS("contains the secrets"))
    }
    var sent = protocolParameters(at: time)
    let base = OAuth1BaseString(head, form: Self.isForm(head) ? request.bytes : nil, parameters: sent)
    sent.append((name: "oauth_signature", value: try method.signature(of: base.bytes)))
    var text = CanonicalText(reserving: 512)
    text.append("OAuth ")
    if let realm { text.append("realm=\"\(realm)\", ") }
    for (index, parameter) in sent.enumerated() {
      if index > 0 { text.append(", ") }
      text.append(encoding: parameter.name.utf8)
      text.append("=\"")
      text.append(encoding: parameter.value.utf8)
      text.append(byte: UInt8(ascii: "\""))
    }
    return SignatureParts(fields: [HTTPField(unindexed: .authorization, text.string)])
  }

  private func protocolParameters(at time: WallTime) -> [(name: String, value: String)] {
    var sent: [(name: String, value: String)] = [("oauth_consumer_key", clientKey)]
    if let token { sent.append(("oauth_token", token)) }
    sent.append(("oauth_signature_method", method.name))
    // PLAINTEXT doesn't cover them, so they would prove nothing (section 3.1).
    if !method.isPlaintext {
      sent.append(("oauth_timestamp", "\(time.seconds)"))
      sent.append(("oauth_nonce", makeNonce()))
    }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { sent.append((name, value)) }
    return sent
  }

  private static func isForm(_ head: HTTPRequest) -> Bool {
    head.headerFields.mediaType.map(MediaTypeSyntax.essence(of:)) == "application/x-www-form-urlencoded"
  }
}

extension OAuth1Signature: CustomReflectable {
  /// The method's name, without the secrets.
  public var customMirror: Mirror { Mirror(self, children: ["method": method.name]) }
}

/// The base string of an OAuth 1.0a signature (RFC 5849, section 3.4.1): method, URI and parameters.
struct OAuth1BaseString {
  private(set) var bytes: [UInt8]

  /// Creates the base string of a request.
  ///
  /// - Parameters:
  ///   - form: The content of a form body, or nil if the body is none.
  ///   - parameters: The protocol parameters, without the signature and the realm.
  init(_ head: HTTPRequest, form: [UInt8]?, parameters: [(name: String, value: String)]) {
    let target = TargetParts(head.path ?? "")
    var text = CanonicalText(reserving: 1_024)
    text.append(encoding: head.method.rawValue.utf8)
    text.append(byte: UInt8(ascii: "&"))
    text.append(encoding: Self.uri(head, path: target.path).utf8)
    text.append(byte: UInt8(ascii: "&"))
    text.append(encoding: Self.normalized(query: target.query, form: form, parameters: parameters).bytes)
    bytes = text.bytes
  }

  /// The base string URI (section 3.4.1.2): lower-case scheme and host, no default port, no query.
  static func uri(_ head: HTTPRequest, path: Substring.UTF8View) -> String {
    let scheme = (head.scheme ?? "https").lowercased()
    var authority = (head.authority ?? "").lowercased()
    let port = scheme == "https" ? ":443" : ":80"
    if authority.hasSuffix(port) { authority.removeLast(port.count) }
    return "\(scheme)://\(authority)\(path.isEmpty ? "/" : String(Substring(path)))"
  }

  /// The normalized parameters (section 3.4.1.3.2), of query, form and protocol.
  static func normalized(
    query: Substring.UTF8View?, form: [UInt8]?, parameters: [(name: String, value: String)]
  ) -> CanonicalText {
    var pairs = CanonicalPairs()
    if let query { pairs.append(parsing: query, plusIsSpace: true) }
    if let form { pairs.append(parsing: form, plusIsSpace: true) }
    for (name, value) in parameters { pairs.append(name: name, value: value) }
    pairs.sort()
    var text = CanonicalText(reserving: 512)
    pairs.write(to: &text)
    return text
  }
}

/// Unique numbers of 128 bits, one for each signature.
enum RandomNonce {
  /// Returns 32 lower-case hexadecimal digits from the library's generator, or the system's.
  @Sendable static func next() -> String {
    if let words = RandomWords.draw(2) { return Hexadecimal.encode(words[0], words[1]) }
    var generator = SystemRandomNumberGenerator()
    return Hexadecimal.encode(generator.next(), generator.next())
  }
}
