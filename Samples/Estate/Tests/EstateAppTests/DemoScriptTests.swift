import Foundation
import Testing

@Suite("Scripts/demo", .timeLimit(.minutes(3)))
struct DemoScriptTests {
  private struct Outcome {
    let status: Int32
    let lines: [String]
  }

  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../Scripts/demo").standardizedFileURL

  /// Runs the script over the programs that were built beside these tests; it installs and builds nothing then.
  private func demo(_ words: String...) async throws -> Outcome {
    let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["bash", Self.script.path, "--built", programs] + words
    process.standardInput = FileHandle.nullDevice
    let log = FileManager.default.temporaryDirectory.appending(path: "demo-\(UUID()).log")
    try Data().write(to: log)
    defer { try? FileManager.default.removeItem(at: log) }
    let handle = try FileHandle(forWritingTo: log)
    process.standardOutput = handle
    process.standardError = handle
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    await withTaskCancellationHandler {
      for await _ in ended {}
    } onCancel: {
      process.terminate()
    }
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
    return Outcome(
      status: process.terminationStatus, lines: text.split(whereSeparator: \.isNewline).map(String.init))
  }

  @Test("G7: starts the server, walks through the app on real listings, stops, and ends with one line")
  func tour() async throws {
    let outcome = try await demo()
    #expect(outcome.status == 0, "\(outcome.lines.suffix(20))")
    let last = try #require(outcome.lines.last)
    let counts = try #require(last.wholeMatch(of: /demo: (\d+) requests, (\d+) from cache, (\d+) errors/))
    #expect(try #require(Int(counts.1)) >= 20)
    #expect(try #require(Int(counts.2)) >= 4)
    #expect(outcome.lines.contains { $0.contains("#42") && $0.contains("Home") })
  }

  @Test("opens the URLs that are given, and its exit code says whether all opened")
  func urls() async throws {
    let good = try await demo("estate://home/1", "estate://listings/condo")
    #expect(good.status == 0)
    #expect(good.lines.last?.hasSuffix("0 from cache, 0 errors") == true)
    let bad = try await demo("estate://home/abc", "estate://home/2")
    #expect(bad.status == 1)
    #expect(bad.lines.contains { $0.contains("wrong_parameter") })
    #expect(bad.lines.contains { $0.contains("Home #2") })
  }

  @Test("names an option that it doesn't know")
  func misuse() async throws {
    let outcome = try await demo("--nonsense")
    #expect(outcome.status == 64)
    #expect(outcome.lines.first == "demo: unknown option --nonsense")
  }
}
