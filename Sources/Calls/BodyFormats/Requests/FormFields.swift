import Interception

/// The names and values of a query or form, in order; a name may occur more than once.
///
/// ```swift
/// var fields: FormFields = ["city": "Lisbon", "page": "2", "sort": nil]
/// fields.append("amenity", "garden")
/// ```
///
/// A nil value is omitted. Names and values are percent-encoded when they are sent.
public struct FormFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private var text = ""

  /// Creates fields from a literal; a nil value is omitted.
  public init(dictionaryLiteral elements: (String, String?)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// Creates fields from names and values.
  public init(_ pairs: some Sequence<(String, String)>) {
    for (name, value) in pairs { append(name, value) }
  }

  /// Appends a field; nil is omitted.
  public mutating func append(_ name: String, _ value: String?) {
    guard let value else { return }
    if !text.isEmpty { text += "&" }
    text += PercentEncoding.component(name)
    text += "="
    text += PercentEncoding.component(value)
  }

  /// Whether there are no fields.
  public var isEmpty: Bool { text.isEmpty }

  /// The fields as `application/x-www-form-urlencoded` text: `name=value`, separated by `&`.
  ///
  /// Every byte but the unreserved characters of RFC 3986, section 2.3, is percent-encoded, a space as `%20`,
  /// which is valid in a query and a form alike.
  public var encoded: String { text }
}
