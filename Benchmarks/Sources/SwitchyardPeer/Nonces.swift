import ArgumentParser
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct Nonces: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Claims nonces on a Redis of this machine, one after another.")
    @Option(help: "The server's port.") var port: Int
    @Option(help: "The number of unmeasured claims first.") var warmUp = 0
    @Option(help: "The number of claims measured, by the clock.") var requests: Int

    func run() throws {
      try Waiting.wait { [self] in try await claim() }
    }

    private func claim() async throws {
      let load = NonceLoad(port: port)
      try await load.claim(warmUp, from: 0)
      let start = ContinuousClock.now
      try await load.claim(requests, from: warmUp)
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      PeerReport(answered: requests, failed: 0, bytes: 0, seconds: seconds, protocolName: "-").print()
    }
  }
}
