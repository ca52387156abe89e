import ArgumentParser
import Foundation
import HTTPServing

@main struct SoakCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "estate-soak",
    abstract: "Soaks the whole sample: the app and its server, with faults, and prints what came of it.",
    subcommands: [RunCommand.self, UseCommand.self], defaultSubcommand: RunCommand.self)
}

/// Runs the soak: starts the server and the app, and injects the faults that come from outside.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Soaks the whole sample: the app and its server, with faults, and prints what came of it.",
    discussion: """
      Four users open screens, add favourites, leave pages, lose the network, and have a clock that jumps, in one \
      process that is killed and started again. The server is killed and started again, is no longer reached at \
      an address, and the disk of the app is filled (as root, who may mount one).

      Each screen is compared with the listings. Each favourite that the app has promised must reach the server, \
      across all of that, all actions of the user be uploaded, and the app start with the deployment document that \
      it had. At the end no thread, descriptor or app may \
      be left. It exits with 1 if one of these fails.
      """)

  @Argument(help: "How many minutes it lasts, from 0.2 to 1440.")
  var minutes = 5.0

  @Option(
    help: ArgumentHelp("The steps and faults follow from it; a random one by default.", valueName: "number"))
  var seed: UInt64?

  func validate() throws {
    guard (0.2...1_440).contains(minutes) else {
      throw ValidationError("MINUTES must be 0.2 to 1440, not \(minutes).")
    }
  }

  func run() async throws {
    let signals = TerminationSignals()
    let seed = seed ?? .random(in: 0..<1_000_000_000)
    let run = try SoakRun(seconds: minutes * 60, seed: seed)
    print("soak: the whole sample, \(minutes) minutes, seed \(seed)")
    if !run.disk.isBounded {
      print("soak: the disk is not filled: that needs root, who may mount a small one")
    }
    let tally = try await withThrowingTaskGroup(of: SoakTally?.self) { group in
      group.addTask { try await run.tally() }
      group.addTask {
        await signals.received()
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    guard let tally else { throw ExitCode(130) }
    for line in tally.table { print(line) }
    for complaint in tally.complaints { print("soak: \(complaint)") }
    print("soak: \(tally.complaints.isEmpty ? "PASS" : "FAIL"); --seed \(seed) repeats its steps")
    guard tally.complaints.isEmpty else { throw ExitCode.failure }
  }
}
