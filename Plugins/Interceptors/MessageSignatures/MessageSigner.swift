import Cryptography
public import HTTPTypes
public import Interception

/// Computes the fields that sign a message (RFC 9421, section 3.1).
///
/// It is a pure function of its arguments; ``MessageSigningInterceptor`` supplies time and nonce. Use it
/// directly on a server, to sign responses:
///
/// ```swift
/// let signer = MessageSigner(key: key, options: .response)
/// let fields = try signer.sign(
///   SignableMessage(response, content: .bytes(body)), inResponseTo: SignableMessage(request), at: .now())
/// ```
public struct MessageSigner: Sendable {
  private let key: MessageKey
  private let options: MessageSignatureOptions

  /// Creates a signer.
  public init(key: MessageKey, options: MessageSignatureOptions = .request) {
    self.key = key
    self.options = options
  }

  /// Returns the fields to append to a message: `Content-Digest` if the options ask for it, `Signature-Input`
  /// and `Signature`.
  ///
  /// - Parameters:
  ///   - message: The message, with all fields that the signature covers.
  ///   - request: The request of a response, for components of the request.
  ///   - time: The time of signing; fractions of a second are ignored.
  ///   - nonce: Printable ASCII text that was never used before, or nil for a message that is checked against
  ///     replays in another way.
  /// - Throws: ``MessageSignatureError`` if a component is missing or can't be signed, if the label is used
  ///   by another signature of the message, or if the cryptographic library fails.
  public func sign(
    _ message: SignableMessage, inResponseTo request: SignableMessage? = nil, at time: WallTime,
    nonce: String? = nil
  ) throws(MessageSignatureError) -> [HTTPField] {
    var message = message
    var added: [HTTPField] = []
    if let digest = options.digest, !message.content.isEmpty {
      guard let value = try message.content.digest(by: digest) else { throw .unsupportedDigest }
      let field = HTTPField(
        name: MessageSignatureFields.contentDigest, value: DigestValues([digest: value]).text)
      let name = field.name.canonicalName
      message.fields.removeAll { $0.name == name }
      message.fields.append(SignableMessage.FieldLine(name: name, value: FieldText(field.bytes)))
      added.append(field)
    }
    try checkLabel(in: message)
    guard nonce.map({ Self.isPrintable($0) }) ?? true else { throw .malformedParameter("nonce") }
    guard options.tag.map({ Self.isPrintable($0) }) ?? true else { throw .malformedParameter("tag") }
    let parameters = SignatureParameters(
      covering: components(of: message), created: time.seconds,
      expires: options.lifetime.map { time.seconds + max($0.components.seconds, 1) }, nonce: nonce,
      algorithm: options.statesAlgorithm ? key.algorithm.rawValue : nil, keyID: key.id, tag: options.tag)
    let base = try SignatureBase.bytes(
      of: parameters, in: ComponentValues(message: message, request: request, fieldTypes: [:]))
    let signature = try key.sign(base)
    var writer = StructuredFieldWriter()
    writer.append(options.label)
    writer.append("=")
    writer.append(.bytes(signature))
    added.append(field(MessageSignatureFields.signatureInput, "\(options.label)=\(parameters.text)"))
    added.append(field(MessageSignatureFields.signature, writer.text))
    return added
  }

  private func components(of message: SignableMessage) -> [MessageComponent] {
    var components = options.components
    func cover(_ name: HTTPField.Name) {
      let component = MessageComponent.field(name)
      guard message.values(of: name.canonicalName) != nil, !components.contains(component) else { return }
      components.append(component)
    }
    cover(MessageSignatureFields.contentDigest)
    for name in options.fieldsIfPresent { cover(name) }
    if !message.isResponse { for name in MessageSignatureFields.methodOverrides { cover(name) } }
    return components
  }

  /// Throws if another signature of the message has the label, because the peer could read only one of them.
  private func checkLabel(in message: SignableMessage) throws(MessageSignatureError) {
    let label = options.label
    guard StructuredFieldParser.isKey(label) else { throw .malformedParameter("label") }
    let names = [MessageSignatureFields.signatureInput, MessageSignatureFields.signature]
    for name in names {
      guard let values = message.values(of: name.canonicalName) else { continue }
      let dictionary = try MessageSignatureFields.dictionary(values.joined(separator: ", "), of: name)
      guard dictionary[label] == nil else { throw .labelInUse(label) }
    }
  }

  private func field(_ name: HTTPField.Name, _ value: String) -> HTTPField {
    var field = HTTPField(name: name, value: value)
    // The value never recurs and would evict others from HPACK's dynamic table.
    field.indexingStrategy = .disallow
    return field
  }

  private static func isPrintable(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}

/// What a signature covers, and its parameters.
public struct MessageSignatureOptions: Sendable {
  /// The label of the signature, which distinguishes it from others of the message: `sig1` by default.
  ///
  /// It is a key of a structured dictionary: lower-case letters, digits and `_-.*`.
  public var label = "sig1"
  /// The components that every message must have.
  public var components: [MessageComponent]
  /// The header fields that are covered if a message has them; those that override the method of a request,
  /// such as `X-HTTP-Method-Override`, are always covered.
  ///
  /// Choose only fields that reach the peer unchanged: never `Content-Length`, `Accept-Encoding`, `Cookie` or
  /// `Via`, which the dispatcher or a proxy sets.
  public var fieldsIfPresent: [HTTPField.Name]
  /// The algorithm of the `Content-Digest` that is added to and covered for messages with content; nil covers
  /// one that the message already has, and leaves other content unprotected.
  public var digest: DigestAlgorithm? = .sha256
  /// The purpose of the signature (`tag`), which the peer may require.
  public var tag: String?
  /// How long the signature is valid (`expires`), in whole seconds, at least one; nil leaves it to the
  /// verifier.
  public var lifetime: Duration?
  /// Whether the name of the algorithm is stated (`alg`); verifiers know it from the key.
  public var statesAlgorithm = true

  /// Creates options.
  public init(components: [MessageComponent], fieldsIfPresent: [HTTPField.Name] = []) {
    self.components = components
    self.fieldsIfPresent = fieldsIfPresent
  }

  /// For requests: method, authority, path and query, `Authorization` and `Content-Type` if present, and a
  /// SHA-256 of the content.
  public static let request = MessageSignatureOptions(
    components: [.method, .authority, .path, .query], fieldsIfPresent: [.authorization, .contentType])

  /// For responses: the status, `Content-Type` if present, a SHA-256 of the content, and of the request the
  /// method, authority, path, query, and the signature with the label `sig1`, whose nonce binds the response
  /// to this request only.
  public static let response = MessageSignatureOptions(
    components: [
      .status, .method.ofRequest, .authority.ofRequest, .path.ofRequest, .query.ofRequest,
      .field(MessageSignatureFields.signature, .member("sig1")).ofRequest,
    ], fieldsIfPresent: [.contentType])
}

/// The names of the fields that carry signatures and digests.
///
/// They differ between attempts: a log should redact ``signature``.
public enum MessageSignatureFields {
  /// `Signature-Input`: the covered components and parameters of each signature (RFC 9421, section 4.1).
  public static let signatureInput = name("Signature-Input")
  /// `Signature`: the signatures (RFC 9421, section 4.2).
  public static let signature = name("Signature")
  /// `Content-Digest`: digests of the content after any content coding (RFC 9530, section 2).
  public static let contentDigest = name("Content-Digest")
  /// `Repr-Digest`: digests of the selected representation (RFC 9530, section 3), which differ from those of
  /// the content for partial responses.
  public static let representationDigest = name("Repr-Digest")

  /// The fields by which a server may replace the method of a request, which signatures therefore cover.
  static let methodOverrides = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]
    .compactMap { HTTPField.Name($0) }

  /// The limits of the fields that are read from a peer before its signature is verified.
  static let limits = StructuredFieldParser.Limits(length: 16_384, members: 64, allowsDuplicateKeys: false)

  /// Parses a dictionary whose keys must be unique (RFC 9421, section 4).
  static func dictionary(
    _ text: String, of field: HTTPField.Name
  ) throws(MessageSignatureError) -> StructuredDictionary {
    do throws(StructuredFieldError) {
      return try StructuredFieldParser.dictionary(text, limits: limits)
    } catch { throw malformed(field.canonicalName, error) }
  }

  /// Returns the error for a field that isn't a structured one of the expected type.
  static func malformed(_ name: String, _ error: StructuredFieldError) -> MessageSignatureError {
    .malformedField(
      HTTPField.Name(name) ?? signature, rule: error.rule.rawValue, offset: error.offset)
  }

  // The fallback is never used: a test checks that the literals above are legal names.
  private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .authorization }
}

/// The bytes that a signature authenticates (RFC 9421, section 2.5).
enum SignatureBase {
  /// The maximum length in bytes, which bounds the work for a signature that repeats long fields.
  static let maximumLength = 262_144

  /// Returns the bytes: a line for each component, and one for the parameters.
  static func bytes(
    of parameters: SignatureParameters, in values: ComponentValues
  ) throws(MessageSignatureError) -> [UInt8] {
    var base: [UInt8] = []
    base.reserveCapacity(1024)
    for component in parameters.components {
      base.append(contentsOf: component.identifier.utf8)
      base.append(contentsOf: ": ".utf8)
      base.append(contentsOf: try values.value(of: component).utf8)
      base.append(contentsOf: "\n".utf8)
      guard base.count <= maximumLength else { throw .baseTooLong(limit: maximumLength) }
    }
    base.append(contentsOf: "\"@signature-params\": ".utf8)
    base.append(contentsOf: parameters.text.utf8)
    return base
  }
}
