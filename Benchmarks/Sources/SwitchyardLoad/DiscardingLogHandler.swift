import Logging

/// Discards every line at or above its level; a handler that writes would accept the same lines.
struct DiscardingLogHandler: LogHandler {
  var logLevel = Logger.Level.debug
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {}
}
