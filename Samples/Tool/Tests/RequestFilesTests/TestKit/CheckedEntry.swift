import Testing

@testable import RequestFiles

/// Parses request files, and checks responses without sending anything.
enum CheckedEntry {
  /// A time that does not pass: 2026-01-01 in UTC.
  static let generators = Environment.Generators(
    uuid: { "01cc0f54-8885-4a1d-9121-ae5d316a33c5" }, now: { Moment(seconds: 1_767_225_600) },
    random: { $0.lowerBound })

  static let tools = EvaluationTools(
    digest: { digest, bytes in Array("\(digest.rawValue)\(bytes.count)".utf8) },
    file: {
      $0 == "data.bin" ? .success([1, 2, 3]) : .failure(FileAccessError("The file \"\($0)\" is missing."))
    })

  static func file(_ text: String, format: RequestFile.Format = .hurl) throws -> RequestFile {
    try RequestFile(SourceText(name: "test", text: text), format: format)
  }

  /// Returns the fault of a file that can't be parsed, as "line:column: message".
  static func fault(_ text: String, format: RequestFile.Format = .hurl) -> String {
    let source = SourceText(name: "test", text: text)
    do {
      _ = try RequestFile(source, format: format)
      return "none"
    } catch {
      let (line, column) = source.position(of: error.span)
      return "\(line):\(column): \(error.message)"
    }
  }

  /// Returns the first request of a file with its placeholders replaced.
  static func request(
    _ text: String, format: RequestFile.Format = .hurl, variables: [String: Value] = [:],
    secrets: [String: String] = [:]
  ) throws -> PreparedRequest {
    let file = try file(text, format: format)
    var environment = Environment(of: file, variables: variables, secrets: secrets, generators: generators)
    let entry = try #require(file.entries.first)
    let options = try entry.options(in: &environment)
    return try entry.prepared(options, in: &environment) { _, _ in "from {{name}}" }
  }

  /// Returns the messages about a response that is checked by lines of [Asserts].
  static func failures(
    _ assertions: String, of response: ReceivedResponse, variables: [String: Value] = [:],
    secrets: [String: String] = [:]
  ) throws -> [String] {
    try failures(
      file: "GET http://x\nHTTP *\n[Asserts]\n\(assertions)", of: response, variables: variables,
      secrets: secrets)
  }

  static func failures(
    file text: String, of response: ReceivedResponse, variables: [String: Value] = [:],
    secrets: [String: String] = [:]
  ) throws -> [String] {
    let file = try file(text)
    var environment = Environment(of: file, variables: variables, secrets: secrets, generators: generators)
    let entry = try #require(file.entries.first)
    return entry.failures(of: response, in: &environment, tools: tools).map(\.message)
  }

  static func response(json: String) -> ReceivedResponse {
    ReceivedResponse(status: 200, fields: [("Content-Type", "application/json")], body: Array(json.utf8))
  }
}

extension PreparedRequest {
  /// The bytes of the content, if it has no files.
  var contentText: String? {
    guard case .pieces(let pieces, _)? = content else { return nil }
    return pieces.map { piece in
      switch piece {
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      case .file(let name, _): "<\(name)>"
      }
    }.joined()
  }

  /// Returns the value of a header field.
  func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}
