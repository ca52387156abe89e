import ArgumentParser

/// The harness that `Scripts/bench` runs.
@main struct SideBySide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures this package beside its peers.", subcommands: [List.self, Run.self, Profile.self])
}
