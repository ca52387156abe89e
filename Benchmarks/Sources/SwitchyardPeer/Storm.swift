import ArgumentParser
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct Storm: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sends storms of identical requests through the sharing interceptor.")
    @Option(help: "The number of unmeasured requests sent first, rounded up to whole storms.")
    var warmUp = 0
    @Option(help: "The number of requests measured, in processor time; a multiple of 1,000.")
    var requests: Int

    func validate() throws {
      guard requests > 0, requests.isMultiple(of: StormLoad.size) else {
        throw ValidationError("--requests must be a multiple of \(StormLoad.size).")
      }
    }

    func run() throws {
      try Waiting.wait { [self] in try await send() }
    }

    private func send() async throws {
      let load = try StormLoad()
      _ = try await load.send((warmUp + StormLoad.size - 1) / StormLoad.size)
      let start = ProcessorTime.now()
      let transfers = try await load.send(requests / StormLoad.size)
      let seconds = ProcessorTime.now() - start
      PeerReport(
        answered: requests, failed: 0, bytes: 0, seconds: seconds, protocolName: "-", transfers: transfers
      ).print()
    }
  }
}
