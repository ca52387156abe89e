/// A generated type.
struct ModelDeclaration: Sendable {
  var name: String
  var doc: [String]
  var kind: Kind

  enum Kind: Sendable {
    case structure(Structure)
    case union(Union)
    case enumeration(Enumeration)
    /// A type that has another name only because it contains itself.
    case alias(SwiftType)
  }

  struct Property: Sendable {
    /// The key in JSON.
    var key: String
    /// The name in Swift, without backticks.
    var name: String
    var doc: [String]
    var type: SwiftType
    var isRequired: Bool
    var isNullable: Bool
    /// Whether the value is kept outside the structure, which would otherwise contain itself.
    var isBoxed = false

    var isOptional: Bool { !isRequired || isNullable || isBoxed }
    var code: String { type.code + (isOptional ? "?" : "") }
  }

  struct Structure: Sendable {
    var properties: [Property]
    /// The type of the values of other keys, if they are kept.
    var additional: SwiftType?

    /// Whether the compiler's coding doesn't suffice.
    var needsCoding: Bool {
      additional != nil || properties.contains { $0.isBoxed || $0.isRequired && $0.isNullable }
    }
  }

  struct Case: Sendable {
    var name: String
    var type: SwiftType
    /// The discriminator's values that choose the case.
    var values: [String] = []
    /// Whether the discriminator is added to the case's value when it is encoded.
    var addsDiscriminator = false
    /// The keys that the case's object knows; nil if it is no object, or knows all keys.
    var keys: [String]?
    var requiredCount = 0
  }

  struct Union: Sendable {
    /// The property whose value chooses the case; nil if the content does.
    var discriminator: String?
    var cases: [Case]
    var isIndirect = false
  }

  struct Enumeration: Sendable {
    /// Whether the values are integers; texts otherwise.
    var isInteger: Bool
    var values: [(name: String, value: String)]
  }
}
