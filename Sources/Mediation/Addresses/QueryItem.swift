/// One decoded field of a URL's query.
public struct QueryItem: Sendable, Hashable {
  /// What stands before the first `=`.
  public let name: String
  /// What stands after the first `=`; empty both for `name=` and for `name`.
  public let value: String

  /// Pairs a name with a value.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
