/// A value that a route reads from and writes to a segment or query field.
///
/// Conform types that have one canonical text, such as an identifier or an enumeration. `init(routeText:)`
/// must read back what `routeText` returns. Do not conform types whose values should not appear in a URL;
/// pass those in a `NativeRoute`.
public protocol RouteValue: Sendable {
  /// Creates the value, or returns nil if the text does not represent one.
  init?(routeText: String)
  /// The text that represents the value in a URL, before percent-encoding.
  var routeText: String { get }
  /// A text that a value can be read from; nil by default.
  ///
  /// Needed only for a property of a `Codable` route whose type does not accept every text of the
  /// placeholder's kind. Building the mediator reads such routes from samples, to compare their properties
  /// with the placeholders.
  static var routeSample: String? { get }
}

extension RouteValue {
  /// Nil.
  public static var routeSample: String? { nil }
}

extension RouteValue where Self: RawRepresentable, RawValue == String {
  /// Creates the case whose raw value is the text.
  public init?(routeText: String) { self.init(rawValue: routeText) }
  /// The raw value.
  public var routeText: String { rawValue }
}

extension String: RouteValue {
  /// Creates the string.
  public init?(routeText: String) { self = routeText }
  /// The string itself.
  public var routeText: String { self }
}

extension Int: RouteValue {
  /// Reads decimal digits, optionally preceded by `-`.
  public init?(routeText: String) {
    guard RoutePattern.ValueKind.int.matches(routeText) else { return nil }
    self.init(routeText)
  }
  /// The decimal digits, preceded by `-` if negative.
  public var routeText: String { description }
}

extension Double: RouteValue {
  /// Reads a finite decimal number.
  public init?(routeText: String) {
    guard RoutePattern.ValueKind.double.matches(routeText) else { return nil }
    self.init(routeText)
  }
  /// The shortest decimal text that reads back as the same number.
  public var routeText: String { description }
}

extension Bool: RouteValue {
  /// Reads `true` or `false`.
  public init?(routeText: String) { self.init(routeText) }
  /// `true` or `false`.
  public var routeText: String { description }
}
