import Foundation

/// The terminal.
public struct StandardConsole: Console {
  /// Creates a console.
  public init() {}

  /// Writes a line unbuffered, so that it keeps its order with the output of other programs.
  public func write(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }
}
