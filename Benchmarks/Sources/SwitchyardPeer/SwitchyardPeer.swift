import ArgumentParser

@main struct SwitchyardPeer: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "The loads that are measured of this package.",
    subcommands: [Wire.self, Chain.self, Open.self, SlowReader.self])
}
