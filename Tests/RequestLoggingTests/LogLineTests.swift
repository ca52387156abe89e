import HTTPTypes
import Interception
import Logging
import RequestLogging
import SwitchyardTesting
import Synchronization
import Testing

/// Checks lines as a handler that writes text prints them.
@Suite(.timeLimit(.minutes(5))) struct LogLineTests {
  /// The output of a log handler.
  private final class Output: TextOutputStream, Sendable {
    private let text = Mutex("")

    var lines: [Substring] {
      text.withLock { $0.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline) }
    }

    func write(_ string: String) { text.withLock { $0 += string } }
  }

  /// A log handler of an app, which writes each line as text.
  private struct TextHandler: LogHandler {
    let output: Output
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let values = metadata.merging(event.metadata ?? [:]) { _, new in new }
      let text = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      output.write("\(event.level) \(event.message) \(text.joined(separator: " "))\n")
    }
  }

  private let output = Output()

  private func logging(_ details: LogDetails = [.headers, .transport, .curlCommand]) -> LoggingInterceptor {
    var logger = Logger(label: "test") { [output] _ in TextHandler(output: output) }
    logger[metadataKey: "environment"] = "staging"
    return LoggingInterceptor(
      logger: logger, redaction: Redaction(showingHeaders: [.server], showingQueryValuesOf: ["page"]),
      details: details, bodies: BodySampling())
  }

  @Test("E11: Any log handler receives the lines, with the environment in each of them")
  func environment() async throws {
    let refusing = InlineInterceptor("Validation", stage: .validation) { request, next in
      guard request.head.path == "/" else { throw NetworkError(.rejected, "The path is unknown.") }
      return try await next.dispatch(request)
    }
    let logging = logging()
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      refusing
      logging
    }
    _ = try await pipeline.send(Request(authority: "a.test", path: "/"))
    _ = try? await pipeline.send(Request(authority: "a.test", path: "/refused"))
    #expect(output.lines.count == 3)
    for line in output.lines { #expect(line.contains(" environment=staging ")) }
  }

  @Test("E11: Values with line breaks and terminal escapes don't forge lines")
  func forgery() async throws {
    let forged = "x\ntrace request started request.id=0\r\u{85}\u{2028}\u{2029}\u{B}\u{C}\u{1B}[2K\u{202E}"
    var request = Request(
      method: .post, scheme: forged, authority: "\(forged)@\(forged)",
      path: "/\(forged)?\(forged)&page=\(forged)",
      headerFields: [.contentType: "text/plain"], body: .text(forged))
    request.context.api = APIIdentity(service: forged, name: forged)
    request.context.connectTarget = ConnectTarget(address: forged)
    let report = TransportReport(remoteAddress: forged, contentCoding: ContentCoding(forged))
    let responses: [Result<Response, NetworkError>] = [
      .success(
        Response(
          HTTPResponse(status: .ok, headerFields: [.server: forged, .contentType: "text/plain"]),
          body: .bytes(Array(forged.utf8)), exchange: Exchange(transport: report))),
      .failure(NetworkError(.protocolViolation, forged, origin: .dispatcher(forged))),
    ]
    let logging = logging()
    let refusing = InlineInterceptor("Validation", stage: .validation) { request, next in
      if request.attempt == 2 { throw NetworkError(.rejected, forged) }
      return try await next.dispatch(request)
    }
    for response in responses {
      let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in try response.get() }
      _ = try? await Pipeline(over: dispatcher) {
        refusing
        logging
      }.send(request)
    }
    _ = try? await Pipeline(over: ScriptedDispatcher()) {
      refusing
      logging
    }.send(request.asAttempt(2))
    #expect(output.lines.count == 5)
    for line in output.lines {
      let hasControls = line.unicodeScalars.contains {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
      }
      #expect(!hasControls)
    }
  }
}
