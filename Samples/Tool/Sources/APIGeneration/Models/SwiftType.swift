/// The type of a value in generated code.
indirect enum SwiftType: Hashable, Sendable {
  case text, integer, number, boolean, date, data
  /// Any JSON.
  case json
  case array(SwiftType)
  case dictionary(SwiftType)
  /// An element that may be null.
  case optional(SwiftType)
  /// A generated type.
  case model(String)

  /// The type as it is written inside the service's namespace.
  var code: String {
    switch self {
    case .text: "String"
    case .integer: "Int"
    case .number: "Double"
    case .boolean: "Bool"
    case .date: "Date"
    case .data: "Data"
    case .json: "JSON"
    case .array(let element): "[\(element.code)]"
    case .dictionary(let value): "[String: \(value.code)]"
    case .optional(let inner): "\(inner.code)?"
    case .model(let name): name
    }
  }

  /// The name of a union's case with this type, unless the document has a better one.
  var caseName: String {
    switch self {
    case .text: "text"
    case .integer: "integer"
    case .number: "number"
    case .boolean: "boolean"
    case .date: "date"
    case .data: "data"
    case .json: "other"
    case .array: "list"
    case .dictionary: "dictionary"
    case .optional(let inner): inner.caseName
    case .model(let name): SwiftName.member(name)
    }
  }

  /// The model that a value contains itself, not behind a list or a dictionary.
  var containedModel: String? { if case .model(let name) = self { name } else { nil } }

  /// The type of the innermost elements.
  var leaf: SwiftType {
    switch self {
    case .array(let inner), .dictionary(let inner), .optional(let inner): inner.leaf
    default: self
    }
  }
}

/// The type of a schema, and whether its values may be null.
struct PlannedType: Hashable, Sendable {
  var type: SwiftType
  var isNullable = false
}
