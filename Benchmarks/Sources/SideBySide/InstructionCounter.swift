import Foundation
import Measuring

/// Counts the instructions of user code that a program takes: by the processor where it can, else by callgrind.
struct InstructionCounter {
  private enum Way {
    case processor(perf: String)
    case emulation(valgrind: String)
    case none
  }

  private let way: Way
  private let folder: URL

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

  func count(_ program: Program) throws -> Double {
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

  /// The program as a copy that valgrind can load: Debian 12's reads no debug information of the newest kinds.
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
