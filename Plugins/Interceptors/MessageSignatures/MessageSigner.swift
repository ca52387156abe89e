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
///   SignableMessage(response, content: body), inResponseTo: SignableMessage(request), at: .now())
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
      guard let value = try message.content.digest(by: digest) else {
        throw MessageSignatureError(.unsupportedDigest)
      }
      let field = HTTPField(
        name: MessageSignatureFields.contentDigest, value: DigestValues([digest: value]).text)
      let name = field.name.canonicalName
      message.fields.removeAll { $0.name == name }
      message.fields.append(SignableMessage.FieldLine(name: name, value: FieldText(field.bytes)))
      added.append(field)
    }
    try checkLabel(in: message)
    guard nonce.map({ Self.isPrintable($0) }) ?? true else {
      throw MessageSignatureError(.malformedParameter("nonce"))
    }
    guard options.tag.map({ Self.isPrintable($0) }) ?? true else {
      throw MessageSignatureError(.malformedParameter("tag"))
    }
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
    guard StructuredFieldParser.isKey(label) else {
      throw MessageSignatureError(.malformedParameter("label"))
    }
    let names = [MessageSignatureFields.signatureInput, MessageSignatureFields.signature]
    for name in names {
      guard let values = message.values(of: name.canonicalName) else { continue }
      let dictionary = try MessageSignatureFields.dictionary(values.joined(separator: ", "), of: name)
      guard dictionary[label] == nil else { throw MessageSignatureError(.labelInUse(label)) }
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
      guard base.count <= maximumLength else {
        throw MessageSignatureError(.baseTooLong(limit: maximumLength))
      }
    }
    base.append(contentsOf: "\"@signature-params\": ".utf8)
    base.append(contentsOf: parameters.text.utf8)
    return base
  }
}
