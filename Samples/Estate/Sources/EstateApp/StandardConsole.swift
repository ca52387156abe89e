import Foundation

/// The terminal.
public struct StandardConsole: Console {
  /// Makes a console.
  public init() {}

  /// Writes a line at once, so that it stands in order with what other programs write.
  public func write(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }
}
