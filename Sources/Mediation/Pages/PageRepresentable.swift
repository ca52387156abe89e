/// An answer or a report that can be given to a web page.
///
/// Conform the answers of routes that pages may call, and nothing that a page must not know.
public protocol PageRepresentable: Sendable {
  /// The value as the page gets it.
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
  /// The truth value.
  public var pageValue: PageValue { .bool(self) }
}

extension Int: PageRepresentable {
  /// The integer.
  public var pageValue: PageValue { .int(self) }
}

extension Double: PageRepresentable {
  /// The number, or null for one that JSON cannot say.
  public var pageValue: PageValue { isFinite ? .double(self) : .null }
}

extension Optional: PageRepresentable where Wrapped: PageRepresentable {
  /// The value, or null.
  public var pageValue: PageValue { map(\.pageValue) ?? .null }
}

extension Array: PageRepresentable where Element: PageRepresentable {
  /// The values in their order.
  public var pageValue: PageValue { .array(map(\.pageValue)) }
}

extension Dictionary: PageRepresentable where Key == String, Value: PageRepresentable {
  /// The values by name.
  public var pageValue: PageValue { .object(mapValues(\.pageValue)) }
}
