/// A value that can be sent to a web page: any JSON value.
///
/// Encodes and decodes as the plain JSON value.
public enum PageValue: Sendable, Hashable {
  /// Null.
  case null
  /// A Boolean value.
  case bool(Bool)
  /// An integer; JavaScript represents integers exactly only up to 2⁵³.
  case int(Int)
  /// A floating-point number.
  case double(Double)
  /// A string.
  case string(String)
  /// Values in order.
  case array([PageValue])
  /// Values by name.
  case object([String: PageValue])
}

extension PageValue: Codable {
  /// Decodes any JSON value.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let int = try? value.decode(Int.self) {
      self = .int(int)
    } else if let double = try? value.decode(Double.self) {
      self = .double(double)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([PageValue].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: PageValue].self))
    }
  }

  /// Encodes the plain JSON value.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .int(let int): try value.encode(int)
    case .double(let double): try value.encode(double)
    case .string(let string): try value.encode(string)
    case .array(let array): try value.encode(array)
    case .object(let object): try value.encode(object)
    }
  }
}
