extension CacheRule {
  /// The name of data that several APIs return or change, such as `houses` or `house 7`.
  ///
  /// Stored responses are removed by it, whichever API they belong to; see ``RequestContext/cacheTags``.
  public struct Tag: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    public let name: String

    /// Creates a tag from a name.
    public init(_ name: String) { self.name = name }

    /// Creates a tag from a literal.
    public init(stringLiteral name: String) { self.name = name }

    /// The name.
    public var description: String { name }
  }
}
