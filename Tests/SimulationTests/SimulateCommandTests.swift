import CommandRunning
import Foundation
import Testing

@Suite("The program that simulates histories") struct SimulateCommandTests {
  /// Runs the program, which the build has put beside that of the tests.
  private static func simulate(_ words: [String]) async throws -> Command.Outcome {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "simulate").path
    var command = Command(words: [program] + words)
    // Hashes of the standard library are seeded at random otherwise, and so is the order of sets.
    command.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_DETERMINISTIC_HASHING": "1"], uniquingKeysWith: { $1 })
    return try await command.run()
  }

  @Test("Seeds give the same histories in two processes", .timeLimit(.minutes(10)))
  func determinism() async throws {
    var ends: [[Substring]] = []
    for _ in 0..<2 {
      let outcome = try await Self.simulate(["run", "1", "60"])
      #expect(outcome.status == 0, "\(outcome)")
      let end = try #require(outcome.lines.last { $0.hasPrefix("end ") })
      ends.append(
        end.split(separator: " ").filter {
          !$0.hasPrefix("seconds=") && !$0.hasPrefix("kilobytes=")
        })
    }
    #expect(ends[0] == ends[1])
    #expect(ends[0].contains("histories=60"))
    #expect(ends[0].contains { $0.hasPrefix("digest=") && $0 != "digest=0" })
  }

  @Test("Histories meet the outcomes that they are there for", .timeLimit(.minutes(10)))
  func outcomes() async throws {
    let outcome = try await Self.simulate(["run", "1", "300"])
    let met = outcome.lines.filter { $0.hasPrefix("outcome ") }
      .map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
    for expected in [
      "cache: hit", "cache: forwarded vary-miss", "cache: revalidated stale", "attempts: 2", "redirects: 1",
      "error: cancelled_task", "signature: replay", "queue: delivered", "log: uploaded", "written: HAR",
    ] {
      #expect(met.contains(expected), "\(expected) is not among \(met)")
    }
  }

  // What each history checks at its end is shown to fail by two planted faults.
  @Test(
    "I9: After the last call no task, flight, waiter, lock, file, descriptor or timer is left, and memory was bounded throughout",
    .timeLimit(.minutes(10)))
  func nothingLeft() async throws {
    var (peaks, descriptors): ([Int], [Int]) = ([], [])
    for count in [100, 600] {
      let outcome = try await Self.simulate(["run", "1", "\(count)"])
      #expect(outcome.status == 0, "\(outcome)")
      let end = try #require(outcome.lines.last { $0.hasPrefix("end ") }).split(separator: " ")
      func number(_ name: String) throws -> Int {
        try #require(end.first { $0.hasPrefix("\(name)=") }.flatMap { Int($0.dropFirst(name.count + 1)) })
      }
      peaks.append(try number("kilobytes"))
      descriptors.append(try number("descriptors"))
    }
    // Foundation, Dispatch and SQLite keep some.
    #expect(descriptors[0] == descriptors[1])
    // Each history kept 50 kB while its world was not released: 25 MB for these.
    #expect(peaks[1] < peaks[0] + 10_000, "\(peaks) kB after 100 and 600 histories")
  }

  @Test("The history of a seed is printed as a story", .timeLimit(.minutes(10)))
  func story() async throws {
    let outcome = try await Self.simulate(["tell", "7"])
    #expect(outcome.status == 0)
    #expect(outcome.lines.contains { $0.contains("step 1: ") })
    #expect(outcome.lines.last?.hasPrefix("No invariant is broken; the digest is ") == true)
  }

  @Test(
    "Wrong arguments are refused with the usage",
    arguments: [
      [], ["run"], ["run", "1"], ["run", "one", "5"], ["tell", "x"], ["run", "1", "5", "--until", "11"],
      ["run", "1", "5", "--stop"], ["walk", "1"],
    ])
  func misuse(_ words: [String]) async throws {
    let outcome = try await Self.simulate(words)
    #expect(outcome.status == 64)
    #expect(outcome.output.hasPrefix("usage: simulate run FIRST-SEED COUNT"))
  }
}
