import ArgumentParser
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct Chain: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sends requests one after another through a chain that ends in a stub.")
    @Option(help: "The chain.") var shape: ChainShape
    @Option(help: "The part that app-chain leaves out; none by default.") var leavingOut: AppChain.Part?
    @Option(help: "The number of unmeasured requests sent first.") var warmUp = 0
    @Option(help: "The number of requests measured, in processor time.") var requests: Int

    func run() throws {
      try Waiting.wait { [self] in try await send() }
    }

    private func send() async throws {
      let load = try ChainLoad(shape, leavingOut: leavingOut)
      try await load.send(warmUp)
      let start = ProcessorTime.now()
      try await load.send(requests)
      let seconds = ProcessorTime.now() - start
      PeerReport(answered: requests, failed: 0, bytes: 0, seconds: seconds, protocolName: "-").print()
    }
  }
}
