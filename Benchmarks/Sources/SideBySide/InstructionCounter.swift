import Foundation
import Measuring

/// Counts the user-code instructions of a program: with the processor's counters if possible, else with
/// callgrind.
///
/// A class, because counts are cached: the same program is used for several figures.
final class InstructionCounter {
  private enum Way {
    case processor(perf: String)
    case emulation(valgrind: String)
    case none
  }

  private let way: Way
  private let folder: URL
  private var counts: [[String]: Result<Double, Trouble>] = [:]

  /// Creates a counter that may write into `folder`.
  init(in folder: URL) {
    self.folder = folder
    if let perf = Program.find("perf"), let trial = Program.find("true"),
      (try? Self.perf(perf, Program(path: trial, arguments: []))) != nil
    {
      way = .processor(perf: perf)
    } else if let valgrind = Program.find("valgrind") {
      way = .emulation(valgrind: valgrind)
    } else {
      way = .none
    }
  }

  /// The method of counting, for the report.
  var name: String {
    switch way {
    case .processor: "perf stat -e instructions:u"
    case .emulation: "valgrind --tool=callgrind, because the processor's counters are unavailable"
    case .none: "nothing"
    }
  }

  /// Returns the instructions per request, from the difference between a longer and a shorter load.
  func perRequest(
    of peer: Peer, short: Int, long: Int, _ program: (_ requests: Int) throws -> Program
  ) throws -> Double {
    // The instructions of a virtual machine include those of its compiler or interpreter.
    guard !peer.isJava, peer != .python else {
      throw Trouble("instructions of a virtual machine are not counted")
    }
    let key = try [program(long).path] + program(long).arguments
    let instructions =
      counts[key]
      ?? Result { try count(short: short, long: long, program) }.mapError { Trouble("\($0)") }
    counts[key] = instructions
    return try instructions.get()
  }

  /// Returns the instructions per request of a count of its own.
  func count(short: Int, long: Int, _ program: (_ requests: Int) throws -> Program) throws -> Double {
    try (count(program(long)) - count(program(short))) / Double(long - short)
  }

  private func count(_ program: Program) throws -> Double {
    switch way {
    case .processor(let perf): return try Self.perf(perf, program)
    case .emulation(let valgrind):
      let program = try withoutDebugInformation(program)
      let ending = try Program(
        path: valgrind,
        arguments: ["--tool=callgrind", "--callgrind-out-file=/dev/null", program.path] + program.arguments,
        environment: program.environment, limit: 900
      ).run()
      guard let count = InstructionReading.callgrind(ending.errors) else {
        throw Trouble("callgrind printed no count")
      }
      return count
    case .none: throw Trouble("neither perf stat nor valgrind works here")
    }
  }

  /// Returns a copy of the program that valgrind can load: Debian 12's doesn't read the newest debug
  /// information.
  private func withoutDebugInformation(_ program: Program) throws -> Program {
    guard let strip = Program.find("strip") else { throw Trouble("strip is not installed (binutils)") }
    var copy = program
    copy.path = folder.appendingPathComponent(URL(fileURLWithPath: program.path).lastPathComponent).path
    if !FileManager.default.fileExists(atPath: copy.path) {
      _ = try Program(path: strip, arguments: ["--strip-debug", "-o", copy.path, program.path]).run()
    }
    return copy
  }

  private static func perf(_ perf: String, _ program: Program) throws -> Double {
    let ending = try Program(
      path: perf,
      arguments: ["stat", "-x,", "-e", "instructions:u", "--", program.path] + program.arguments,
      environment: program.environment
    ).run()
    guard let count = InstructionReading.perfStat(ending.errors) else {
      throw Trouble("perf stat can't count instructions here")
    }
    return count
  }
}
