import EstateApp
import Screens
import Synchronization
import TerminalScreens

/// Records the lines that the app prints.
final class RecordingConsole: Console {
  private let written = Mutex<[String]>([])

  var lines: [String] { written.withLock { $0 } }

  /// The lines of the screen that was shown last, without the frame.
  var screen: [Substring] {
    let start = lines.lastIndex { $0.hasPrefix("  ┌─") } ?? 0
    return lines[start...].filter { $0.hasPrefix("  │ ") }.map { $0.dropFirst(4) }
  }

  /// Whether a line contains a text.
  func shows(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

  func write(_ line: String) { written.withLock { $0.append(line) } }

  /// The lines of the first step whose title begins with this text.
  func step(_ title: String) -> [String] {
    guard let start = lines.firstIndex(where: { $0.hasPrefix("▶ \(title)") }) else { return [] }
    return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("▶") })
  }
}

extension ContentScreen {
  /// The content as a terminal shows it.
  var lines: [String] { TerminalText(content).lines }
}
