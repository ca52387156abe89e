import ArgumentParser

/// The harness that `Scripts/bench` runs.
@main struct SideBySide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares this package with its peers.",
    subcommands: [List.self, Run.self, Pace.self, Prices.self, Growth.self, Profile.self])
}
