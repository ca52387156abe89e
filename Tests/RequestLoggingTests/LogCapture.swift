import InMemoryLogging
import Logging

/// Records log lines.
struct LogCapture {
  let handler = InMemoryLogHandler()

  func logger(_ level: Logger.Level = .trace) -> Logger {
    var logger = Logger(label: "test") { _ in handler }
    logger.logLevel = level
    return logger
  }

  var entries: [InMemoryLogHandler.Entry] { handler.entries }
  var messages: [String] { entries.map { "\($0.message)" } }

  /// All recorded output as one text.
  var text: String {
    entries.map { "\($0.level) \($0.message) \($0.metadata) \(String(describing: $0.error))" }.joined(
      separator: "\n")
  }
}

extension InMemoryLogHandler.Entry {
  /// A metadata value as text.
  subscript(_ key: String) -> String? { metadata[key].map { "\($0)" } }

  var keys: [String] { metadata.keys.sorted() }
}
