/// One thing that is measured: what it is called, what it counts, and what it is held to.
public struct Figure: Sendable, Hashable {
  /// The name, such as `h1.64.vs-c`.
  public let name: String
  /// What it counts.
  public let unit: Unit
  /// What it is held to; nil where it is only told.
  public let bar: Bar?

  /// Makes a figure.
  public init(_ name: String, _ unit: Unit, bar: Bar? = nil) {
    self.name = name
    self.unit = unit
    self.bar = bar
  }
}
