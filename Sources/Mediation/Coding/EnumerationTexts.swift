/// The texts of a `CaseIterable` type whose values each have one.
enum EnumerationTexts {
  /// The maximum number of cases; a type with more is treated like any other type.
  static let maximumCount = 256

  /// Returns the texts of all cases, by raw value or route text; nil for a type that has no such cases.
  static func all(of type: Any.Type) -> [String]? {
    guard let type = type as? any CaseIterable.Type, let cases = cases(of: type) else { return nil }
    var texts: [String] = []
    for value in cases {
      guard let text = text(of: value) else { return nil }
      texts.append(text)
    }
    return texts
  }

  /// Returns the first case of a type.
  static func first<Value>(of type: Value.Type) -> Value? {
    guard let type = type as? any CaseIterable.Type else { return nil }
    return cases(of: type)?.first as? Value
  }

  private static func cases<Value: CaseIterable>(of type: Value.Type) -> [Any]? {
    // `allCases` may be any collection, such as the range of all integers, whose count overflows.
    var cases: [Any] = []
    for value in Value.allCases {
      if cases.count == maximumCount { return nil }
      cases.append(value)
    }
    return cases.isEmpty ? nil : cases
  }

  private static func text(of value: Any) -> String? {
    if let value = value as? any RouteValue { return value.routeText }
    guard let value = value as? any RawRepresentable else { return nil }
    switch value.rawValue as Any {
    case let raw as String: return raw
    case let raw as any FixedWidthInteger: return raw.description
    default: return nil
    }
  }
}
