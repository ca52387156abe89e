import ArgumentParser
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct Body: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sends bodies of 1 MiB through an interceptor that hashes or compresses them.")
    @Option(help: "What is done to each body.") var work: BodyLoad.Work
    @Option(help: "The number of bodies measured, in processor time.") var requests: Int

    func run() throws {
      try Waiting.wait { [self] in try await send() }
    }

    private func send() async throws {
      let load = try BodyLoad(work)
      try await load.send(1)
      let start = ProcessorTime.now()
      try await load.send(requests)
      let seconds = ProcessorTime.now() - start
      PeerReport(
        answered: requests, failed: 0, bytes: requests * BodyLoad.size, seconds: seconds, protocolName: "-"
      ).print()
    }
  }
}
