import BodyFormats

/// A name and value of a query or form, before percent-encoding.
public struct QueryField: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension FormFields {
  init(_ fields: [QueryField]) { self.init(fields.lazy.map { ($0.name, $0.value) }) }
}
