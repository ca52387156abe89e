import ArgumentParser
import Foundation
import Measuring

extension SideBySide {
  struct Pace: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Exits with 2 and says so if the machine is too slow or too busy for a full run.")
    @OptionGroup var setting: Setting

    func run() throws {
      try Self.check(Bench(programs: setting.built, folder: setting.folder, isQuick: false))
    }

    /// Ends the program if the machine is too slow.
    static func check(_ bench: Bench) throws {
      guard let complaint = try bench.pace().complaint else { return }
      warn(complaint)
      throw ExitCode(2)
    }

    /// Prints a line to standard error.
    static func warn(_ line: String) {
      FileHandle.standardError.write(Data("bench: \(line)\n".utf8))
    }
  }
}
