import Foundation
import Testing

/// Replays what Scripts/fuzz found, and the inputs that it begins with.
struct ReplayTests {
  private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Corpus")

  /// The kept inputs of a target, by the names of their files.
  private static func kept(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    let folder = corpus.appendingPathComponent(target.name)
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      (name, [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))))
    }
  }

  @Test("No kept input and no seed breaks a law of its parser", arguments: FuzzTarget.all)
  func laws(_ target: FuzzTarget) throws {
    let seeds = target.seeds.map { (name: "a seed", bytes: $0) }
    #expect(!seeds.isEmpty)
    for (name, bytes) in try Self.kept(target) + seeds + [("nothing", [])] {
      // Also cut off, because most parsers are given only what has arrived.
      for bytes in [bytes, Array(bytes.dropLast()), Array(bytes.dropFirst())] {
        #expect(throws: Never.self, "\(target.name), \(name): \(escaped(bytes))") { try target.check(bytes) }
      }
    }
  }

  @Test("No parser's time is quadratic in the length of a kept input or a seed", arguments: FuzzTarget.all)
  func growth(_ target: FuzzTarget) throws {
    let inputs = try Self.kept(target).map(\.bytes) + target.seeds.filter { !$0.isEmpty }
    // Many inputs have the same punctuation.
    for input in Set(inputs.flatMap(Growth.stretches)) {
      let measured = Growth.measure(target, input)
      #expect(!measured.isTooSteep, "\(target.name), \(escaped(input)) repeated: \(measured)")
    }
  }

  /// A clock that advances by what checks report, and stands still otherwise.
  private final class StepClock {
    /// The time of a step in seconds, a power of two, so that sums and quotients are exact.
    static let step = 0x1p-23
    private(set) var lengths: [Int] = []
    private var steps = 0

    var seconds: Double { Double(steps) * Self.step }

    /// Counts the check of a text.
    func check(_ bytes: [UInt8], steps: Int) {
      lengths.append(bytes.count)
      self.steps += steps
    }

    /// Measures a check that takes a number of steps for a text of a length, in a round from 1.
    func measure(_ steps: (_ length: Int, _ round: Int) -> Int) -> Growth.Measurement {
      Growth.measure([1], by: { seconds }) { bytes in
        let round = lengths.count { $0 == bytes.count } + 1
        check(bytes, steps: steps(bytes.count, round))
      }
    }
  }

  @Test(
    "A time is too steep if it is not negligible and more than 64 times that of a sixteenth of the text",
    arguments: [
      (0.001, 0.016, false), (0.001, 0.064, false), (0.001, 0.065, true), (0.001, 0.256, true),
      (0, 0.005, false), (0, 0.006, true), (1, 16, false), (1, 256, true), (2, 1, false),
    ])
  func judgement(short: Double, long: Double, isTooSteep: Bool) {
    #expect(Growth.Measurement(short: short, long: long).isTooSteep == isTooSteep)
  }

  @Test("Steps that are linear in the length pass at once, and quadratic ones are found in every round")
  func measurement() {
    let linear = StepClock()
    #expect(!linear.measure { length, _ in length * 50 }.isTooSteep)
    #expect(linear.lengths == [Growth.long, Growth.short])
    let quadratic = StepClock()
    #expect(quadratic.measure { length, _ in length * length / 32 }.isTooSteep)
    #expect(quadratic.lengths.count == 2 * Growth.rounds)
    let negligible = StepClock()
    #expect(!negligible.measure { length, _ in length }.isTooSteep)
    #expect(negligible.lengths == [Growth.long])
  }

  @Test("A disturbance in all rounds but the last one changes no measurement of linear steps")
  func disturbances() {
    let clock = StepClock()
    let measured = clock.measure { length, round in
      length * (length == Growth.long && round < Growth.rounds ? 5_000 : 50)
    }
    #expect(!measured.isTooSteep, "\(measured)")
    #expect(clock.lengths.count == 2 * Growth.rounds)
    #expect(measured.quotient == Double(Growth.long / Growth.short), "\(measured)")
  }

  @Test("Every folder of kept inputs is that of a target")
  func folders() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
    #expect(!names.isEmpty)
    #expect(Set(names).subtracting(FuzzTarget.all.map(\.name)).isEmpty)
  }
}

extension FuzzTarget: CustomTestStringConvertible {
  var testDescription: String { name }
}
