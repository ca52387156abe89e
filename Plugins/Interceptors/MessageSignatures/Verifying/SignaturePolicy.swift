package import HTTPTypes

/// What a signature must have to be accepted.
///
/// RFC 9421, section 3.2.1 leaves it to the application; the defaults refuse a signature that covers less
/// than ``MessageSignatureOptions`` sign by default.
public struct SignaturePolicy: Sendable {
  /// Which signature of a message counts.
  public enum Selection: Sendable, Hashable {
    /// The only one; a message with several is refused.
    case only
    /// The one with a label.
    case label(String)
    /// The one with a tag; a message with several such signatures is refused.
    case tag(String)
  }

  /// The components that must be covered.
  package var requiredComponents: [MessageComponent]
  /// Which signature counts; the only one by default.
  public var selection = Selection.only
  /// The maximum age of a signature: 5 minutes by default, at least a second and at most a day.
  package var maximumAge: Duration = .seconds(300)
  /// The maximum clock difference, which is added to all limits in time: 30 seconds by default, at most a
  /// day.
  package var clockSkew: Duration = .seconds(30)
  /// Whether a signature must have a nonce; a nonce that it has is checked in any case.
  package var requiresNonce: Bool
  /// The types of structured fields that aren't registered, needed to verify their canonical form (`sf`).
  package var structuredFields: [HTTPField.Name: StructuredFieldType] = [:]

  /// Whether a response is accepted only for one request, because it covers the request's signature, or a
  /// member of it.
  var bindsToRequest: Bool {
    let field = MessageSignatureFields.signature.canonicalName
    return requiredComponents.contains { component in
      guard component.isOfRequest, case .field(field, _, _) = component.kind else { return false }
      return true
    }
  }

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - requiredComponents: The components that must be covered.
  ///
  ///     A field is required if the message has it, and `Content-Digest` if the message has content. `@query`
  ///     includes the parameters of the query, `@target-uri` and `@request-target` their parts. Fields that
  ///     override the method, such as `X-HTTP-Method-Override`, are always required.
  ///   - requiresNonce: Whether a signature must have a nonce; a nonce that it has is checked in any case.
  public init(requiring requiredComponents: [MessageComponent], requiresNonce: Bool = true) {
    self.requiredComponents = requiredComponents
    self.requiresNonce = requiresNonce
  }

  /// For requests: method, authority, path, query, `Authorization`, `Content-Type`, and a digest of the
  /// content; and a nonce.
  public static let request = SignaturePolicy(requiring: [
    .method, .authority, .path, .query, .field(.authorization), .field(.contentType),
    .field(MessageSignatureFields.contentDigest),
  ])

  /// For responses: the status, a digest of the content, and the request's signature with the label `sig1`,
  /// so that the response to another request is refused.
  public static let response = SignaturePolicy(
    requiring: [
      .status, .field(MessageSignatureFields.contentDigest),
      .field(MessageSignatureFields.signature, .member("sig1")).ofRequest,
    ], requiresNonce: false)
}

/// A signature as received, selected among those of a message and not yet verified.
struct ReceivedSignature: Sendable, Hashable {
  let label: String
  let parameters: SignatureParameters
  let signature: [UInt8]

  /// Reads the signature that a policy selects (RFC 9421, section 3.2).
  init(
    of message: SignableMessage, selecting selection: SignaturePolicy.Selection
  ) throws(MessageSignatureError) {
    let inputs = try Self.dictionary(MessageSignatureFields.signatureInput, of: message)
    let signatures = try Self.dictionary(MessageSignatureFields.signature, of: message)
    label = try Self.label(of: inputs, selecting: selection)
    guard case .innerList(let list)? = inputs[label] else {
      throw MessageSignatureError(
        .malformedField(
          MessageSignatureFields.signatureInput, rule: "a member is a list of components in parentheses"))
    }
    switch signatures[label] {
    case nil: throw MessageSignatureError(.unsigned)
    case .item(let item)?:
      guard case .bytes(let bytes) = item.value else { fallthrough }
      signature = bytes
    default:
      throw MessageSignatureError(
        .malformedField(MessageSignatureFields.signature, rule: "a member is a byte sequence"))
    }
    parameters = try SignatureParameters(list)
  }

  private static func dictionary(
    _ name: HTTPField.Name, of message: SignableMessage
  ) throws(MessageSignatureError) -> StructuredDictionary {
    guard let values = message.values(of: name.canonicalName) else { throw MessageSignatureError(.unsigned) }
    return try MessageSignatureFields.dictionary(values.joined(separator: ", "), of: name)
  }

  private static func label(
    of inputs: StructuredDictionary, selecting selection: SignaturePolicy.Selection
  ) throws(MessageSignatureError) -> String {
    let candidates: [String]
    switch selection {
    case .only: candidates = inputs.entries.map(\.key)
    case .label(let label): candidates = inputs[label] == nil ? [] : [label]
    case .tag(let tag):
      candidates = inputs.entries.filter { entry in
        guard case .innerList(let list) = entry.value else { return false }
        return list.parameters["tag"] == .string(tag)
      }.map(\.key)
    }
    guard let label = candidates.first else { throw MessageSignatureError(.unsigned) }
    guard candidates.count == 1 else {
      throw MessageSignatureError(.severalSignatures(count: candidates.count))
    }
    return label
  }
}
