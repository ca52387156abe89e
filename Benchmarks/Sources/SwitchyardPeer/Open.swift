import ArgumentParser
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Opens an action by its URL, one call after another.")
    @Option(help: "How many calls go ahead, unmeasured.") var warmUp = 0
    @Option(help: "How many calls are measured, in processor time.") var requests: Int

    func run() throws {
      try Waiting.wait { [self] in try await send() }
    }

    private func send() async throws {
      let load = try OpenLoad()
      try await load.send(warmUp)
      let start = ProcessorTime.now()
      try await load.send(requests)
      let seconds = ProcessorTime.now() - start
      PeerReport(answered: requests, failed: 0, bytes: 0, seconds: seconds, protocolName: "-").print()
    }
  }
}
