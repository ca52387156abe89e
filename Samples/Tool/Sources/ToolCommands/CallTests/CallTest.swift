import Foundation
import HTTPTypes

/// The files of a test that reproduces a call, but for its cassette.
public struct CallTest: Sendable {
  /// The longest content that is written into the code, in bytes; a longer one has a file of its own.
  private static let literalLimit = 2_048

  private let call: RecordedCall
  private let replayed: RecordedCall
  private let chain: CallTestChain
  private let name: String
  private let tool: String

  /// Creates the test of a call.
  ///
  /// - Parameters:
  ///   - replayed: The call with the exchanges that the cassette has: all, or one.
  ///   - chain: A chain that reproduces it.
  ///   - name: The name of the test's type and files.
  ///   - tool: The version of the tool, for the first line.
  public init(
    of call: RecordedCall, replaying replayed: RecordedCall, over chain: CallTestChain, name: String,
    tool: String
  ) {
    (self.call, self.replayed, self.chain, self.name, self.tool) = (call, replayed, chain, name, tool)
  }

  /// The folder of the files that are no code, in that of the test.
  public static let folder = "Cassettes"

  /// The name of the file with the code.
  public var codeFile: String { "\(name)Tests.swift" }
  /// The path of the cassette, from the folder of the test.
  public var cassetteFile: String { "\(Self.folder)/\(name).json" }

  /// The contents that the code does not have itself, by their paths from the folder of the test.
  public var contentFiles: [(path: String, bytes: [UInt8])] {
    var files: [(path: String, bytes: [UInt8])] = []
    if let sent = replayed.exchanges.first?.body, Self.literal(sent) == nil {
      files.append(("\(Self.folder)/\(name).request", sent))
    }
    if case .answered(_, let received) = call.outcome, Self.literal(received) == nil {
      files.append(("\(Self.folder)/\(name).response", received))
    }
    return files
  }

  /// The content as a literal; nil if it is no text, or too long.
  private static func literal(_ bytes: [UInt8]) -> String? {
    guard bytes.count <= literalLimit, let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return SwiftLiteral.text(text)
  }

  /// The code, in UTF-8.
  public var code: String {
    """
    // Written by switchyard test \(tool); it may be edited.
    //
    \(comment.map { "// \($0)\n" }.joined())
    import Foundation
    import Switchyard
    import SwitchyardTesting
    import Testing

    @Suite struct \(name)Tests {
      @Test(\(SwiftLiteral.text(title)), .timeLimit(.minutes(1)))
      func outcome() async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "\(Self.folder)")
        let cassette = try Cassette(path: folder.appending(path: "\(name).json").path)
        let replay = ReplayDispatcher(cassette)
    \(request)
        // The simulation's clock skips the waits between attempts, which the seed decides.
        let report = await checkSimulation(seeds: \(CallTestChain.seed)...\(CallTestChain.seed)) { _ in
          ["the call"]
        } run: { [request] run, _ in
    \(chain.source)
          let call = run.start("the call", within: .seconds(86_400)) { try await pipeline.send(request) }
    \(assertion)
        }
        #expect(report.failure == nil, "\\(report)")
        #expect(replay.unused == [], "the chain sent less than was recorded")
      }
    }

    """
  }

  private var title: String {
    let url = call.url.count > 200 ? "\(call.url.prefix(200))…" : call.url
    let method = call.target.prefix { $0 != " " }
    return switch call.outcome {
    case .answered(let status, _): "\(method) \(url) has the status \(status)"
    case .failed(let label): "\(method) \(url) fails with \(label)"
    }
  }

  /// What the call was, and what the files lack, in lines.
  private var comment: [String] {
    var lines = [
      "The call: \(call.target) → \(call.word)\(call.steps)",
      "Begun at \(call.startedAt), replayed over \(chain.words).",
    ]
    if replayed.exchanges.count < call.exchanges.count {
      lines.append(
        "Only the exchange that decided is replayed: the app's own interceptors sent the others, such as for a token."
      )
    }
    let gaps = call.gaps
    lines.append(gaps.isEmpty ? "Nothing was hidden." : "Hidden or missing, so that no secret is written:")
    lines += gaps.map { "- \($0)" }
    lines.append("Name the folder of the cassette in the test target: exclude: [\"\(Self.folder)\"].")
    // A line of the archive's own could end the comment.
    return lines.map { Printable.text($0) }
  }

  private static let plainMethods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]

  private var request: String {
    guard let first = replayed.exchanges.first else { return "" }
    let name = first.method.rawValue
    let method =
      Self.plainMethods.contains(name)
      ? ".\(name.lowercased())" : "try #require(HTTPRequest.Method(\(SwiftLiteral.text(name))))"
    let isChanged = !first.fields.isEmpty || !first.body.isEmpty
    var lines = [
      "\(isChanged ? "var" : "let") request = try Request(\(SwiftLiteral.text(first.url)), method: \(method))"
    ]
    if !first.fields.isEmpty {
      let fields = first.fields.map {
        "(\(SwiftLiteral.text($0.name.rawName)), \(SwiftLiteral.text($0.value)))"
      }
      lines += ["for (name, value) in ["] + fields.map { "  \($0)," } + ["] {"]
      lines += [
        "  request.head.headerFields.append(",
        "    HTTPField(name: try #require(HTTPField.Name(name)), value: value))",
        "}",
      ]
    }
    if !first.body.isEmpty {
      let content =
        Self.literal(first.body).map { "Array(\($0).utf8)" }
        ?? "[UInt8](Data(contentsOf: folder.appending(path: \"\(self.name).request\")))"
      lines.append("request.body = .bytes(\(content.hasPrefix("[") ? "try " : "")\(content))")
    }
    return lines.map { "    \($0)" }.joined(separator: "\n")
  }

  private var assertion: String {
    let lines: [String]
    switch call.outcome {
    case .failed(let label):
      lines = [
        "let error = await #expect(throws: NetworkError.self) { try await call.value }",
        "#expect(error?.label == \(SwiftLiteral.text(label)))",
      ]
    case .answered(let status, let body):
      let content = ["let content = try await response.body.collect(upTo: .max)"]
      let comparison =
        Self.literal(body).map { ["#expect(String(decoding: content, as: UTF8.self) == \($0))"] }
        ?? [
          "let recorded = try Data(contentsOf: folder.appending(path: \"\(name).response\"))",
          "#expect(Data(content) == recorded)",
        ]
      lines =
        ["let response = try await call.value", "#expect(response.status.code == \(status))"] + content
        + comparison
    }
    return lines.map { "      \($0)" }.joined(separator: "\n")
  }
}
