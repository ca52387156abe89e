import Foundation
import HTTPServing
import Switchyard
import Testing

@Suite("Scripts/demo", .timeLimit(.minutes(5)))
struct DemoScriptTests {
  private struct Outcome {
    let status: Int32
    let lines: [String]
  }

  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../Scripts/demo").standardizedFileURL

  /// Runs the script with the programs built beside these tests, so that it installs and builds nothing.
  private func demo(_ words: String...) async throws -> Outcome {
    let log = FileManager.default.temporaryDirectory.appending(path: "demo-\(UUID()).log")
    try Data().write(to: log)
    defer { try? FileManager.default.removeItem(at: log) }
    let status = try await RunningProgram.status(
      of: URL(filePath: "/usr/bin/env"),
      [Self.script.path, "--built", RunningProgram.folder.path] + words,
      output: try FileHandle(forWritingTo: log))
    let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
    return Outcome(status: status, lines: text.split(whereSeparator: \.isNewline).map(String.init))
  }

  @Test(
    "G7: The script starts the server, walks through the app on real listings, and lets a failure become a test"
  )
  func tour() async throws {
    let outcome = try await demo("--once")
    #expect(outcome.status == 0, "\(outcome.lines.suffix(20))")
    let found = outcome.lines.firstIndex {
      $0.hasPrefix("demo: a call that failed becomes a test: sw")
    }
    let place = try #require(found, "\(outcome.lines.suffix(20))")
    // The line before it counts.
    let counts = try #require(
      outcome.lines[place - 1].wholeMatch(of: /demo: (\d+) requests, (\d+) from cache, (\d+) errors/))
    let test = outcome.lines[(place + 1)...]
    if outcome.lines[place].contains(": switchyard test ") {
      #expect(test.contains("  |       #expect(response.status.code == 500)"), "\(test)")
      #expect(test.last == "  | }")
    } else {
      // The tool is not built, and the command that builds it is the last line.
      #expect(outcome.lines[place].contains("swift run --package-path Samples/Tool switchyard test "))
      #expect(test.isEmpty)
    }
    #expect(try #require(Int(counts.1)) >= 20)
    #expect(try #require(Int(counts.2)) >= 4)
    #expect(outcome.lines.contains { $0.contains("#42") && $0.contains("Home") })
    #expect(outcome.lines.contains { $0.wholeMatch(of: /demo: first answer after \d+ s/) != nil })
    #expect(outcome.lines.contains { $0.hasPrefix("The slowest request that was answered: ") })
    #expect(outcome.lines.contains { $0.hasPrefix("estate: the app is at http://127.0.0.1:") })
    #expect(outcome.lines.contains { $0.hasPrefix("estate: the inspector is at http://127.0.0.1:") })
  }

  @Test("The script opens the URLs it is given, and its exit code says whether all opened")
  func urls() async throws {
    let good = try await demo("estate://home/1", "estate://listings/condo")
    #expect(good.status == 0)
    #expect(good.lines.last?.hasSuffix("1 from cache, 0 errors") == true)
    let bad = try await demo("estate://home/abc", "estate://home/2")
    #expect(bad.status == 1)
    #expect(bad.lines.contains { $0.contains("wrong_parameter") })
    #expect(bad.lines.contains { $0.contains("Home #2") })
  }

  @Test(
    "The script serves the app to a browser until it is stopped, after a tour or without",
    arguments: [[], ["--web"]])
  func web(words: [String]) async throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    process.arguments = [Self.script.path, "--built", programs] + words
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    // The threads of the shared pool block signals, and the script would inherit their mask.
    try await withCheckedThrowingContinuation { started in
      Thread.detachNewThread {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        started.resume(with: Result { try process.run() })
      }
    }
    defer { if process.isRunning { process.terminate() } }
    var seen: [String] = []
    var port: Substring?
    var iterator = pipe.fileHandleForReading.lines().makeAsyncIterator()
    while port == nil, let line = await iterator.next() {
      seen.append(line)
      port =
        line.wholeMatch(
          of: words.isEmpty
            ? /estate: the app stays at http:\/\/127\.0\.0\.1:(\d+)\/.*/
            : /estate: the app is at http:\/\/127\.0\.0\.1:(\d+)\//)?.1
    }
    let client = CurlDispatcher()
    let found = try #require(port, "\(seen)")
    let answer = try await client.dispatch(
      Request(scheme: "http", authority: "127.0.0.1:\(found)", path: "/"))
    #expect(answer.status.code == 200)
    let page = String(decoding: try await answer.body.collect(upTo: 1 << 20), as: UTF8.self)
    // After the tour the pages show its last screen.
    #expect(page.contains(words.isEmpty ? "<h1>Home #42, Sacramento 95822</h1>" : "Houses"), "\(page)")
    if words.isEmpty { #expect(!seen.contains { $0.contains("✗") }, "\(seen)") }
    await client.shutdown()
    process.terminate()
    while let line = await iterator.next() { seen.append(line) }
    process.waitUntilExit()
    #expect(process.terminationStatus == 143, "\(seen)")
  }

  @Test("The script names an unknown option")
  func misuse() async throws {
    let outcome = try await demo("--nonsense")
    #expect(outcome.status == 64)
    #expect(outcome.lines.first == "demo: unrecognized arguments: --nonsense")
  }
}
