import Switchyard
import Synchronization

/// Records the messages of a log.
final class RecordedMessages: Sendable {
  private struct Handler: LogHandler {
    let messages: RecordedMessages
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { messages.append("\(event.message)") }
  }

  private let messages = Mutex<[String]>([])

  var all: [String] { messages.withLock { $0 } }

  /// Returns a logger whose messages are recorded from a level on.
  func logger(_ level: Logger.Level = .warning) -> Logger {
    Logger(label: "test") { _ in Handler(messages: self, logLevel: level) }
  }

  private func append(_ message: String) { messages.withLock { $0.append(message) } }
}
