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
