/// Where the app writes: a terminal, or a test's list.
public protocol Console: Sendable {
  /// Writes a line.
  func write(_ line: String)
}
