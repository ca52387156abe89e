import ArgumentParser

@main struct SwitchyardPeer: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the loads that measure this package.",
    subcommands: [
      Wire.self, Chain.self, Storm.self, Open.self, Verify.self, Body.self, Nonces.self, SlowReader.self,
      APIs.self, Manager.self, JSON.self, Echo.self, Idle.self, Connect.self, FirstByte.self, Head.self,
    ])
}
