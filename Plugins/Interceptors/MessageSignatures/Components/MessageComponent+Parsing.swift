import HTTPTypes

extension MessageComponent {
  /// Reads the identifier of a component from a `Signature-Input` field (RFC 9421, sections 2.1 and 2.2).
  init(_ item: StructuredItem) throws(MessageSignatureError) {
    var writer = StructuredFieldWriter()
    writer.append(item)
    let identifier = writer.text
    guard case .string(let name) = item.value else {
      throw .invalidComponent(identifier, .identifierIsString)
    }
    var modifiers = Modifiers()
    for parameter in item.parameters.entries {
      guard modifiers.read(parameter) else { throw .invalidComponent(identifier, .knownParameters) }
    }
    let kind: Kind
    if name.utf8.first == UInt8(ascii: "@") {
      kind = try modifiers.derived(name, identifier)
    } else {
      kind = try modifiers.field(name, identifier)
    }
    self.init(kind, isOfRequest: modifiers.flags.contains("req"), identifier: identifier)
  }

  /// The parameters of an identifier.
  private struct Modifiers {
    var flags: Set<String> = []
    var key: String?
    var parameterName: String?

    /// Records a parameter; false if it is unknown or has a value of another type.
    mutating func read(_ parameter: StructuredParameters.Entry) -> Bool {
      switch (parameter.key, parameter.value) {
      case ("sf", .boolean(true)), ("bs", .boolean(true)), ("tr", .boolean(true)), ("req", .boolean(true)):
        flags.insert(parameter.key)
      case ("key", .string(let value)): key = value
      case ("name", .string(let value)): parameterName = value
      default: return false
      }
      return true
    }

    func derived(_ name: String, _ identifier: String) throws(MessageSignatureError) -> Kind {
      guard flags.subtracting(["req"]).isEmpty, key == nil else {
        throw .invalidComponent(identifier, .knownParameters)
      }
      if name == "@query-param" {
        guard let parameterName else { throw .invalidComponent(identifier, .queryParameterHasName) }
        return .queryParameter(parameterName)
      }
      guard parameterName == nil else { throw .invalidComponent(identifier, .knownParameters) }
      guard let kind = MessageComponent.derivedNames[name] else {
        throw .invalidComponent(identifier, .knownDerivedComponent)
      }
      return kind
    }

    func field(_ name: String, _ identifier: String) throws(MessageSignatureError) -> Kind {
      guard parameterName == nil else { throw .invalidComponent(identifier, .knownParameters) }
      guard HTTPField.Name(name)?.canonicalName == name else {
        throw .invalidComponent(identifier, .fieldNameInLowerCase)
      }
      let isWrapped = flags.contains("bs")
      guard !isWrapped || (!flags.contains("sf") && key == nil) else {
        throw .invalidComponent(identifier, .wrappedIsNotStructured)
      }
      let form: FieldForm
      if let key {
        form = .member(key)
      } else if isWrapped {
        form = .wrapped
      } else {
        form = flags.contains("sf") ? .structured : .combined
      }
      return .field(name, form, inTrailers: flags.contains("tr"))
    }
  }
}
