import ArgumentParser
import CurlTransport
import HTTPTypes
import Interception
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct Wire: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sends requests over the wire and reads each response completely.")
    @OptionGroup var load: LoadOptions
    @Option(help: "The chain before the dispatcher; none by default.") var chain: ChainShape?
    @Flag(help: "Runs the senders on the dispatcher's own thread.") var onLoop = false
    @Flag(help: "Blocks at once when there is nothing to do.") var withoutSpinning = false

    func run() throws {
      try Waiting.wait { [self] in try await send() }
    }

    private func send() async throws {
      guard let request = WireLoad.request(load.url), let authority = request.head.authority else {
        throw ValidationError("--url is not an http or https URL: \(load.url)")
      }
      let dispatcher = WireLoad.dispatcher(
        inFlight: load.inFlight, authorities: load.authorities, spinning: !withoutSpinning)
      let executor = onLoop ? dispatcher.taskExecutor : nil
      let report: PeerReport
      if let chain {
        let pipeline = try chain.pipeline(over: dispatcher, authority: authority)
        report = await WireLoad.run(
          load, like: request, through: pipeline, isNumbered: chain == .appChain, on: executor)
      } else {
        report = await WireLoad.run(load, like: request, through: dispatcher, on: executor)
      }
      report.print()
      await dispatcher.shutdown()
    }
  }
}
