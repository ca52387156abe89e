/// A measured quantity: its name, its unit and its target.
public struct Figure: Sendable, Hashable {
  /// The name, such as `h1.64.vs-c`.
  public let name: String
  /// The unit.
  public let unit: Unit
  /// The target, or nil if there is none.
  public let bar: Bar?

  /// Creates a figure.
  public init(_ name: String, _ unit: Unit, bar: Bar? = nil) {
    self.name = name
    self.unit = unit
    self.bar = bar
  }
}
