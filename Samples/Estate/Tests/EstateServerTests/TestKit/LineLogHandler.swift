import Logging

/// Yields each log message to a stream.
struct LineLogHandler: LogHandler {
  let lines: AsyncStream<String>.Continuation
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  init(lines: AsyncStream<String>.Continuation) {
    self.lines = lines
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    lines.yield("\(event.message)")
  }
}
