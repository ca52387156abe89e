import Foundation
import Testing

/// The picture in the README of the tool.
@Suite(.timeLimit(.minutes(5))) struct TerminalPictureTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../docs/pictures/tool-test.svg").standardizedFileURL

  private static func entry(
    _ second: Int, _ path: String, status: Int, attempt: Int = 1, failure: String? = nil
  ) -> String {
    let comment = failure.map { #","comment":"\#($0)""# } ?? ""
    return """
      {"startedDateTime":"2026-11-06T08:49:0\(second)Z","comment":"request \(path), attempt \(attempt)",
       "request":{"method":"GET","url":"https://api.example.com/\(path)",
        "headers":[{"name":"Authorization","value":"REDACTED"},{"name":"Accept","value":"application/json"}]},
       "response":{"status":\(status),"headers":[{"name":"Content-Type","value":"application/json"}],
        "content":{"size":2,"mimeType":"application/json","text":"{}"}\(comment)}}
      """
  }

  @Test("The picture of the README shows what the program writes on a terminal")
  func picture() async throws {
    let folder = try ScratchFolder()
    let entries = [
      Self.entry(1, "houses", status: 200), Self.entry(2, "homes/42", status: 404),
      Self.entry(3, "rates", status: 503),
      Self.entry(4, "rates", status: 0, attempt: 2, failure: "timeout_firstByte (CurlDispatcher)"),
    ]
    try folder.write(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#, to: "run.har")
    var commands: [TerminalPicture.Command] = []
    for words in [["run.har", "--list"], ["run.har", "--failed", "--out", "Tests"]] {
      let outcome = try await RunningProgram.onTerminal(["test"] + words, in: folder)
      #expect(outcome.status == 0, "\(outcome)")
      commands.append(.init(line: "switchyard test \(words.joined(separator: " "))", output: outcome.output))
    }
    let line = "sed -n '/run.start/,/replay.unused/p' Tests/GetRatesTimeoutFirstByteTests.swift"
    commands.append(.init(line: line, output: try await RunningProgram.shell(line, in: folder).output))
    let svg = TerminalPicture(
      title: "switchyard test writes a test that reproduces a call that failed", columns: 108,
      commands: commands
    ).svg
    if let folder = ProcessInfo.processInfo.environment["SWITCHYARD_PICTURES"] {
      try Data(svg.utf8).write(to: URL(filePath: folder).appending(path: Self.file.lastPathComponent))
    }
    #expect(svg.contains("#7ee787") && svg.contains("#ff7b72"))
    #expect(
      try String(contentsOf: Self.file, encoding: .utf8) == svg,
      "The picture is old; run this test with SWITCHYARD_PICTURES=docs/pictures.")
  }
}
