import Foundation

/// Receives the lines that the app prints.
package protocol Console: Sendable {
  func write(_ line: String)
}

package struct StandardConsole: Console {
  package init() {}

  /// Writes a line unbuffered, so that it keeps its order with the output of other programs.
  package func write(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }
}
