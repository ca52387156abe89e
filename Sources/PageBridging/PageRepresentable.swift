/// A result or a progress value that can be sent to a web page.
///
/// Conform the outputs of routes that pages may call, and no type with data that a page must not see.
public protocol PageRepresentable: Sendable {
  /// The value that the page receives.
  var pageValue: PageValue { get }
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
