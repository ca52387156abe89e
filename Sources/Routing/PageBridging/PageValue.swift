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

extension PageValue: PageRepresentable {
  /// The value itself.
  public var pageValue: PageValue { self }
}

extension String: PageRepresentable {
  /// The text.
  public var pageValue: PageValue { .string(self) }
}

extension Bool: PageRepresentable {
  /// The Boolean value.
  public var pageValue: PageValue { .bool(self) }
}

extension Int: PageRepresentable {
  /// The integer.
  public var pageValue: PageValue { .int(self) }
}

extension Double: PageRepresentable {
  /// The number, or null if JSON cannot represent it.
  public var pageValue: PageValue { isFinite ? .double(self) : .null }
}

extension Optional: PageRepresentable where Wrapped: PageRepresentable {
  /// The value, or null.
  public var pageValue: PageValue { map(\.pageValue) ?? .null }
}

extension Array: PageRepresentable where Element: PageRepresentable {
  /// The values in order.
  public var pageValue: PageValue { .array(map(\.pageValue)) }
}

extension Dictionary: PageRepresentable where Key == String, Value: PageRepresentable {
  /// The values by name.
  public var pageValue: PageValue { .object(mapValues(\.pageValue)) }
}
