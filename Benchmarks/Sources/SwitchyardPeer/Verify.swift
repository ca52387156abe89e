import ArgumentParser
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Verifies signed requests of 1 KB.")
    @Option(help: "The number of unmeasured requests verified first.") var warmUp = 0
    @Option(help: "The number of requests measured, in processor time.") var requests: Int

    func run() throws {
      let load = try VerifyLoad()
      try load.verify(warmUp)
      let start = ProcessorTime.now()
      try load.verify(requests)
      let seconds = ProcessorTime.now() - start
      PeerReport(answered: requests, failed: 0, bytes: 0, seconds: seconds, protocolName: "-").print()
    }
  }
}
