import Foundation
import Testing

@testable import estate_soak

@Suite("Scripts/soak of the whole sample", .timeLimit(.minutes(10)))
struct SoakProgramTests {
  private func run(_ arguments: [String]) async throws -> (status: Int32, lines: [String]) {
    let program = try ChildProcess("estate-soak", arguments)
    var lines: [String] = []
    for await line in program.lines { lines.append(line) }
    return (await program.ended(), lines)
  }

  @Test("Half a minute with killed apps and servers loses nothing, shows nothing wrong, and leaves nothing")
  func soak() async throws {
    let (status, lines) = try await run(["0.5", "--seed", "7"])
    #expect(status == 0 && lines.last == "soak: PASS; --seed 7 repeats its steps", "\(lines)")
    #expect(lines.contains { $0.hasPrefix("lost ") && $0.hasSuffix("  0") })
    #expect(lines.contains { $0.hasPrefix("faults ") && $0.contains(" × server killed") }, "\(lines)")
  }

  @Test("A number of minutes that makes no sense is refused", arguments: ["0", "nan", "-1", "x"])
  func refusal(minutes: String) async throws {
    #expect(try await run([minutes]).status == 64)
  }
}
