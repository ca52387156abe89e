import EstateApp
import Synchronization

/// Remembers what the app wrote.
final class RecordingConsole: Console {
  private let written = Mutex<[String]>([])

  var lines: [String] { written.withLock { $0 } }

  func write(_ line: String) { written.withLock { $0.append(line) } }

  /// What was written after the step of this title began and before the next one.
  func step(_ title: String) -> [String] {
    guard let start = lines.firstIndex(where: { $0.hasPrefix("▶ \(title)") }) else { return [] }
    return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("▶") })
  }
}
