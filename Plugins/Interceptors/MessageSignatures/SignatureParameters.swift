/// The parameters of a signature (RFC 9421, section 2.3), with the components that it covers.
struct SignatureParameters: Sendable, Hashable {
  /// In the order of the base.
  let components: [MessageComponent]
  /// Seconds since 1970.
  let created: Int64?
  /// Seconds since 1970.
  let expires: Int64?
  let nonce: String?
  let algorithm: String?
  let keyID: String?
  let tag: String?
  /// The serialized list of components and all parameters.
  let text: String

  /// Creates parameters to sign with.
  init(
    covering components: [MessageComponent], created: Int64? = nil, expires: Int64? = nil,
    nonce: String? = nil, algorithm: String? = nil, keyID: String? = nil, tag: String? = nil
  ) {
    self.components = components
    (self.created, self.expires, self.nonce) = (created, expires, nonce)
    (self.algorithm, self.keyID, self.tag) = (algorithm, keyID, tag)
    var writer = StructuredFieldWriter()
    writer.append("(")
    for (index, component) in components.enumerated() {
      if index > 0 { writer.append(" ") }
      writer.append(component.identifier)
    }
    writer.append(")")
    var parameters = StructuredParameters()
    if let created { parameters.set("created", to: .integer(created)) }
    if let expires { parameters.set("expires", to: .integer(expires)) }
    if let keyID { parameters.set("keyid", to: .string(keyID)) }
    if let algorithm { parameters.set("alg", to: .string(algorithm)) }
    if let nonce { parameters.set("nonce", to: .string(nonce)) }
    if let tag { parameters.set("tag", to: .string(tag)) }
    writer.append(parameters)
    text = writer.text
  }

  /// Reads the parameters of a received signature.
  init(_ list: StructuredInnerList) throws(MessageSignatureError) {
    var components: [MessageComponent] = []
    var seen: Set<MessageComponent> = []
    for item in list.items {
      let component = try MessageComponent(item)
      guard seen.insert(component).inserted else {
        throw MessageSignatureError(.invalidComponent(component.identifier, .coveredOnce))
      }
      components.append(component)
    }
    self.components = components
    let parameters = list.parameters
    created = try Self.integer("created", of: parameters)
    expires = try Self.integer("expires", of: parameters)
    nonce = try Self.string("nonce", of: parameters)
    algorithm = try Self.string("alg", of: parameters)
    keyID = try Self.string("keyid", of: parameters)
    tag = try Self.string("tag", of: parameters)
    var writer = StructuredFieldWriter()
    writer.append(list)
    text = writer.text
  }

  private static func integer(
    _ name: String, of parameters: StructuredParameters
  ) throws(MessageSignatureError) -> Int64? {
    switch parameters[name] {
    case nil: return nil
    case .integer(let value)?: return value
    default: throw MessageSignatureError(.malformedParameter(name))
    }
  }

  private static func string(
    _ name: String, of parameters: StructuredParameters
  ) throws(MessageSignatureError) -> String? {
    switch parameters[name] {
    case nil: return nil
    case .string(let value)?: return value
    default: throw MessageSignatureError(.malformedParameter(name))
    }
  }
}
