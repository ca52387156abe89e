import CommandRunning
import Foundation
import Testing

@Suite("The program that simulates histories") struct SimulateCommandTests {
  /// The program, which the build has put beside that of the tests.
  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "simulate").path

  /// Runs `Scripts/simulate` with the program.
  private static func script(_ words: [String], CI: String = "") async throws -> Command.Outcome {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Scripts/simulate").standardizedFileURL.path
    var command = Command(words: [script] + words + ["--built", program])
    command.environment = ProcessInfo.processInfo.environment.merging(["CI": CI], uniquingKeysWith: { $1 })
    return try await command.run()
  }

  /// Runs the program.
  private static func simulate(_ words: [String]) async throws -> Command.Outcome {
    var command = Command(words: [program] + words)
    // Hashes of the standard library are seeded at random otherwise, and so is the order of sets.
    command.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_DETERMINISTIC_HASHING": "1"], uniquingKeysWith: { $1 })
    return try await command.run()
  }

  /// What the program prints after histories from seed 1 on.
  private struct Report {
    let lines: [String]

    init(count: Int) async throws {
      let outcome = try await SimulateCommandTests.simulate(["run", "1", "\(count)"])
      try #require(outcome.status == 0, "\(outcome)")
      lines = outcome.lines
    }

    /// The values of the last line, by their names.
    var end: [String: String] {
      let words = lines.last { $0.hasPrefix("end ") }?.split(separator: " ").dropFirst() ?? []
      let pairs = words.map { $0.split(separator: "=").map(String.init) }
      return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    }

    func number(_ name: String) throws -> Int { try #require(end[name].flatMap { Int($0) }, "\(name)") }
  }

  // Several tests read them, because histories take long in a debug build.
  private static let few = Task { try await Report(count: 100) }
  private static let many = Task { try await Report(count: 400) }

  @Test("Seeds give the same histories in two processes", .timeLimit(.minutes(10)))
  func determinism() async throws {
    var (one, other) = (try await Self.few.value.end, try await Report(count: 100).end)
    for name in ["seconds", "kilobytes"] {
      one[name] = nil
      other[name] = nil
    }
    #expect(one == other)
    #expect(one["histories"] == "100")
    #expect(one["digest"] != nil && one["digest"] != "0")
  }

  @Test("Histories meet the outcomes that they are there for", .timeLimit(.minutes(10)))
  func outcomes() async throws {
    let met = try await Self.many.value.lines.filter { $0.hasPrefix("outcome ") }
      .map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
    for expected in [
      "cache: hit", "cache: forwarded vary-miss", "cache: revalidated stale", "attempts: 2", "redirects: 1",
      "error: cancelled_task", "signature: replay", "queue: delivered", "log: uploaded", "written: HAR",
      "token: own field",
    ] {
      #expect(met.contains(expected), "\(expected) is not among \(met)")
    }
  }

  // What each history checks at its end is shown to fail by two planted faults.
  @Test(
    "I9: After the last call no task, flight, waiter, descriptor or timer is left, and memory was bounded throughout",
    .timeLimit(.minutes(10)))
  func nothingLeft() async throws {
    let (few, many) = (try await Self.few.value, try await Self.many.value)
    // Foundation, Dispatch and SQLite keep some.
    #expect(try few.number("descriptors") == many.number("descriptors"))
    // Each history kept 50 kB while its world was not released: 15 MB for the 300 more.
    let peaks = (try few.number("kilobytes"), try many.number("kilobytes"))
    #expect(peaks.1 < peaks.0 + 6_000, "\(peaks) kB after 100 and 400 histories")
  }

  @Test("The history of a seed is printed as a story", .timeLimit(.minutes(10)))
  func story() async throws {
    let outcome = try await Self.simulate(["tell", "7"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.lines.contains { $0.contains("step 1: ") })
    #expect(outcome.lines.last?.hasPrefix("No invariant is broken; the digest is ") == true)
  }

  @Test(
    "Of two events at the same instant, the first decides what the app may rely on",
    .timeLimit(.minutes(10)),
    arguments: [
      // The first page is from before the change of which the app learns next; no older item is lost.
      (
        "change-after-read",
        ["list 1 is read", "7,6,5 hit", "list 1 is changed", "list 1 was read: [7, 6, 5, 4, 3, 2, 1]"]
      ),
      (
        "read-after-change",
        ["list 1 is changed", "list 1 is read", "list 1 was read: [8, 7, 6, 5, 4, 3, 2, 1]"]
      ),
      // Call 30 joins the read that the edit has sent; call 22 begins when the write has ended.
      (
        "write-ends-after-read",
        [
          "step 3: ", "call 21 ended: 200 /me/7 of ann|2", "GET api.example/me/7",
          "ended: 200 /me/7 of ann|1", "ended: 200 /me/7 of ann|1", "call 22 ended: 200 /me/7 of ann|2",
        ]
      ),
      (
        "read-after-write-ends",
        [
          "call 21 ended: 200 /me/7 of ann|2", "GET api.example/me/7", "call 20 ended: 200 /me/7 of ann|1",
          "call 22 ended: 200 /me/7 of ann|2",
        ]
      ),
      (
        "return-after-load",
        ["step 3: ", "call 30 ended: 200 /items/0|1|| hit; ttl=-40", "the network is up"]
      ),
      ("load-after-return", ["the network is up", "GET api.example/items/0", "call 40 ended", "304"]),
    ])
  func scenarios(_ name: String, _ events: [String]) async throws {
    let outcome = try await Self.simulate(["tell", name])
    #expect(outcome.status == 0, "\(outcome)")
    let stories = outcome.output.components(separatedBy: "In the order ").dropFirst()
    #expect(stories.count == 3)
    for story in stories {
      var rest = story[...]
      for event in events {
        guard let range = rest.range(of: event) else {
          Issue.record("\"\(event)\" is not at its place in: \(story)")
          break
        }
        rest = rest[range.upperBound...]
      }
    }
  }

  @Test("The script begins at a random seed, and prints the command that repeats its run")
  func freshSeeds() async throws {
    var repetitions: Set<String> = []
    for _ in 0..<2 {
      let outcome = try await Self.script(["2"])
      #expect(outcome.status == 0, "\(outcome)")
      let line = try #require(outcome.lines.first { $0.hasPrefix("to repeat: Scripts/simulate ") })
      repetitions.insert(line)
      let words = line.split(separator: " ").dropFirst(3).map { String($0) }
      let again = try await Self.script(words)
      #expect(again.status == 0, "\(again)")
      #expect(again.lines.contains(line))
    }
    #expect(repetitions.count == 2)
  }

  @Test("With CI=true the script begins at seed 1, unless another one is given")
  func fixedSeeds() async throws {
    for (words, seed) in [(["2"], "1"), (["2", "--from", "7"], "7")] {
      let outcome = try await Self.script(words, CI: "true")
      #expect(outcome.lines.contains("to repeat: Scripts/simulate 2 --from \(seed)"), "\(outcome)")
    }
  }

  @Test(
    "Wrong arguments are refused with the usage",
    arguments: [
      [], ["run"], ["run", "1"], ["run", "one", "5"], ["tell", "x"], ["run", "1", "5", "--until", "11"],
      ["run", "1", "5", "--stop"], ["walk", "1"], ["tell", "change-before-read"],
    ])
  func misuse(_ words: [String]) async throws {
    let outcome = try await Self.simulate(words)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.output.hasPrefix("usage: simulate run FIRST-SEED COUNT"))
  }
}
