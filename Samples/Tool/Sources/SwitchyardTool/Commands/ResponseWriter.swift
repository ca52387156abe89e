import HTTPTypes
import Interception
import ToolCommands

/// Writes the response of one call.
final class ResponseWriter {
  private let options: ResponseOptions
  private let hadCredentials: Bool
  /// The bytes of the content so far.
  private(set) var receivedBytes: Int64 = 0
  /// The length of the content, as the server announced it.
  private(set) var announcedBytes: Int64?

  init(options: ResponseOptions, hadCredentials: Bool) {
    (self.options, self.hadCredentials) = (options, hadCredentials)
  }

  /// Writes the head, if it is asked for, and the content.
  func write(_ response: Response) async throws {
    let fields = response.head.headerFields
    if response.status.code >= 400 {
      let lines = StatusAdvice.lines(response.status, fields: fields, hadCredentials: hadCredentials)
      if options.fail {
        throw ToolFailure(
          .httpError,
          (["\(lines[0]), which --fail makes an error"] + lines.dropFirst()).joined(separator: "\n  "))
      }
      // A program that reads standard error learns the status from the head or by --fail.
      if Terminal.error.isTerminal, lines.count > 1 { Terminal.note(lines.joined(separator: "\n  ")) }
    }
    let target = try OutputTarget(options.output)
    let head = HeadText(response)
    if options.include { try target.write(text: isShown(on: target) ? head.shown(ink) : head.sent) }
    announcedBytes = fields[.contentLength].flatMap { Int64($0) }
    var content = presentation(of: response, on: target, headLines: options.include ? head.lineCount : 0)
    do {
      switch response.body {
      case .bytes(let bytes): try write(bytes, &content, to: target)
      case .stream(let stream):
        for try await chunk in stream { try write(chunk, &content, to: target) }
      }
      try Task.checkCancellation()
    } catch {
      if let rest = content?.rest(isComplete: false) { try? target.write(text: rest) }
      throw error
    }
    if let rest = content?.rest() { try target.write(text: rest) }
    if let note = content?.note { Terminal.note(note) }
    try target.finish()
  }

  private func write(_ bytes: [UInt8], _ content: inout TerminalContent?, to target: OutputTarget) throws {
    receivedBytes += Int64(bytes.count)
    guard let text = try content?.text(of: bytes) else { return try target.write(bytes) }
    if !text.isEmpty { try target.write(text: text) }
  }

  private var ink: Ink { Terminal.output.ink(options.chain.color) }

  /// Whether head and content are laid out for a person, instead of written as they are.
  private func isShown(on target: OutputTarget) -> Bool {
    let isStandardOutput = options.output == nil || options.output == "-"
    return isStandardOutput && (target.isTerminal || options.chain.color == .always)
  }

  /// How the content is shown to a person; nil if its bytes are written as they are.
  private func presentation(
    of response: Response, on target: OutputTarget, headLines: Int
  ) -> TerminalContent? {
    guard isShown(on: target) else { return nil }
    let terminal = Terminal.output
    // Below the content there are a note and the prompt.
    let lines = max(terminal.height - headLines - 3, 5)
    return TerminalContent(
      .init(
        mediaType: response.head.headerFields[.contentType], length: announcedBytes,
        ink: ink, width: terminal.width,
        maximumLines: target.isTerminal && !options.all ? lines : nil))
  }
}

/// The head of a response as text.
private struct HeadText {
  private let status: String
  private let isError: Bool
  private let fields: [(name: String, value: String)]

  init(_ response: Response) {
    let code = response.status
    let version = response.exchange.transport?.version?.rawValue ?? "HTTP"
    // HTTP/2 has no reason phrase.
    let reason = code.reasonPhrase.isEmpty ? "" : " \(code.reasonPhrase)"
    status = "\(version) \(code.code)\(reason)"
    isError = code.code >= 400
    fields = response.head.headerFields.map { ($0.name.rawName, $0.value) }
  }

  var lineCount: Int { fields.count + 2 }

  /// The lines as they were sent.
  var sent: String {
    ([status] + fields.map { "\($0.name): \($0.value)" }).map { $0 + "\r\n" }.joined() + "\r\n"
  }

  /// The lines for a terminal, without control characters of the server.
  func shown(_ ink: Ink) -> String {
    let lines = fields.map { "\(ink(.cyan, Printable.text($0.name))): \(Printable.text($0.value))" }
    return ([ink(isError ? .red : .bold, Printable.text(status))] + lines).map { $0 + "\n" }.joined() + "\n"
  }
}
