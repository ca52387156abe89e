import Foundation
import HTTPServing
import Testing

@Suite("Scripts/soak of the whole sample", .timeLimit(.minutes(10)))
struct SoakProgramTests {
  private func run(_ arguments: [String]) async throws -> ChildProcess.Outcome {
    try await ChildProcess.outcome(of: ChildProcess.builtProgram("estate-soak"), arguments)
  }

  @Test("Half a minute with killed apps and servers loses nothing, shows nothing wrong, and leaves nothing")
  func soak() async throws {
    let outcome = try await run(["0.5", "--seed", "7"])
    let lines = outcome.output.split(separator: "\n")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(lines.last == "soak: PASS; --seed 7 repeats its steps", "\(lines)")
    #expect(lines.contains { $0.hasPrefix("lost ") && $0.hasSuffix("  0") })
    #expect(lines.contains { $0.hasPrefix("faults ") && $0.contains(" × server killed") }, "\(lines)")
  }

  @Test("A number of minutes that makes no sense is refused", arguments: ["0", "nan", "-1", "x"])
  func refusal(minutes: String) async throws {
    #expect(try await run([minutes]).status == 64)
  }
}
