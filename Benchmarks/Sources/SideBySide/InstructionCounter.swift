import Foundation
import Measuring

/// Counts the instructions of user code that a program executes: by the processor where it can, else by
/// callgrind.
///
/// A class, because a count is kept: the same program stands beside several figures.
final class InstructionCounter {
  private enum Way {
    case processor(perf: String)
    case emulation(valgrind: String)
    case none
  }

  private let way: Way
  private let folder: URL
  private var counts: [[String]: Result<Double, Trouble>] = [:]

  /// Makes a counter that may write into `folder`.
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

  /// How it counts, for the report.
  var name: String {
    switch way {
    case .processor: "perf stat -e instructions:u"
    case .emulation: "valgrind --tool=callgrind, as the processor's counters can't be read here"
    case .none: "nothing"
    }
  }

  /// The instructions for each request, as the difference of two lengths of a load.
  func perRequest(
    of peer: Peer, short: Int, long: Int, _ program: (_ requests: Int) throws -> Program
  ) throws -> Double {
    // A virtual machine's instructions are those of its compiler, too.
    guard peer != .okHttp else { throw Trouble("the instructions of a virtual machine are not counted") }
    let (first, second) = try (program(short), program(long))
    let key = [second.path] + second.arguments
    let difference =
      counts[key] ?? Result { try count(second) - count(first) }.mapError { Trouble("\($0)") }
    counts[key] = difference
    return try difference.get() / Double(long - short)
  }

  private func count(_ program: Program) throws -> Double {
    switch way {
    case .processor(let perf): return try Self.perf(perf, program)
    case .emulation(let valgrind):
      let program = try withoutDebugInformation(program)
      let ending = try Program(
        path: valgrind,
        arguments: ["--tool=callgrind", "--callgrind-out-file=/dev/null", program.path] + program.arguments,
        limit: 900
      ).run()
      guard let count = InstructionReading.callgrind(ending.errors) else {
        throw Trouble("callgrind printed no count")
      }
      return count
    case .none: throw Trouble("neither perf stat nor valgrind works here")
    }
  }

  /// The program as a copy that valgrind can load: Debian 12's reads no debug information of the newest
  /// kinds.
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
      arguments: ["stat", "-x,", "-e", "instructions:u", "--", program.path] + program.arguments
    ).run()
    guard let count = InstructionReading.perfStat(ending.errors) else {
      throw Trouble("perf stat counts no instructions here")
    }
    return count
  }
}
