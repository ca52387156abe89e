/// A value that a route reads from one segment or query field and writes to it.
///
/// Conform a type that has one canonical text (an identifier, an enumeration). Law: what `routeText` gives,
/// `init(routeText:)` reads back. Do not conform a value that a URL should not carry; pass it by a
/// `NativeRoute`.
public protocol RouteValue: Sendable {
  /// Reads the value, or returns nil if the text stands for none.
  init?(routeText: String)
  /// The text that stands for the value in a URL, not percent-encoded.
  var routeText: String { get }
}

extension RouteValue where Self: RawRepresentable, RawValue == String {
  /// Reads the case whose raw value is the text.
  public init?(routeText: String) { self.init(rawValue: routeText) }
  /// The raw value.
  public var routeText: String { rawValue }
}

extension String: RouteValue {
  /// Takes the text as it is.
  public init?(routeText: String) { self = routeText }
  /// The text itself.
  public var routeText: String { self }
}

extension Int: RouteValue {
  /// Reads decimal digits, with `-` before them if negative.
  public init?(routeText: String) {
    guard ValueKind.int.matches(routeText) else { return nil }
    self.init(routeText)
  }
  /// The decimal digits.
  public var routeText: String { description }
}

extension Double: RouteValue {
  /// Reads a finite decimal number.
  public init?(routeText: String) {
    guard ValueKind.double.matches(routeText) else { return nil }
    self.init(routeText)
  }
  /// The shortest decimal number that reads back as this one.
  public var routeText: String { description }
}

extension Bool: RouteValue {
  /// Reads `true` or `false`.
  public init?(routeText: String) { self.init(routeText) }
  /// `true` or `false`.
  public var routeText: String { description }
}
