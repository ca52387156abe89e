import HTTPTypes

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
      throw .malformedField(
        MessageSignatureFields.signatureInput, rule: "a member is a list of components in parentheses")
    }
    switch signatures[label] {
    case nil: throw .unsigned
    case .item(let item)?:
      guard case .bytes(let bytes) = item.value else { fallthrough }
      signature = bytes
    default:
      throw .malformedField(MessageSignatureFields.signature, rule: "a member is a byte sequence")
    }
    parameters = try SignatureParameters(list)
  }

  private static func dictionary(
    _ name: HTTPField.Name, of message: SignableMessage
  ) throws(MessageSignatureError) -> StructuredDictionary {
    guard let values = message.values(of: name.canonicalName) else { throw .unsigned }
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
        guard case .innerList(let list) = entry.member else { return false }
        return list.parameters["tag"] == .string(tag)
      }.map(\.key)
    }
    guard let label = candidates.first else { throw .unsigned }
    guard candidates.count == 1 else { throw .severalSignatures(count: candidates.count) }
    return label
  }
}
