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
    @Option(help: "The part that app-chain leaves out; none by default.") var leavingOut: AppChain.Part?
    @Option(help: "2 or 3: the only version of HTTP; what the dispatcher chooses by default.")
    var httpVersion: LoadVersion?
    @Option(help: "The address to connect to; that of the URL's host by default.") var address: String?
    @Flag(help: "Runs the senders on the dispatcher's own thread.") var onLoop = false
    @Flag(help: "Blocks at once when there is nothing to do.") var withoutSpinning = false

    func run() throws {
      try Waiting.wait { [self] in try await send() }
    }

    private func send() async throws {
      guard let request = WireLoad.request(load.url, at: address), let authority = request.head.authority
      else {
        throw ValidationError("--url is not an http or https URL: \(load.url)")
      }
      let dispatcher = WireLoad.dispatcher(
        inFlight: load.inFlight, authorities: load.authorities, spinning: !withoutSpinning,
        version: httpVersion)
      let chain = try WireChain(chain, leavingOut: leavingOut, over: dispatcher, authority: authority)
      let report = await chain.run(load, like: request, on: onLoop ? dispatcher.taskExecutor : nil)
      report.print()
      await dispatcher.shutdown()
      try httpVersion?.check(report.protocolName)
    }
  }
}
