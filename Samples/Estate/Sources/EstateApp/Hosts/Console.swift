/// Receives the lines that the app prints.
public protocol Console: Sendable {
  /// Writes a line.
  func write(_ line: String)
}
