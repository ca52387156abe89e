import ArgumentParser
import CurlTransport
import HTTPTypes
import Interception
import PeerReporting
import SwitchyardLoad

extension AllocationProbe {
  struct Wire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures CurlDispatcher.")
    @OptionGroup var load: LoadOptions
    @Option(help: "The chain before the dispatcher; none by default.") var chain: ChainShape?
    @Option(help: "The part that app-chain leaves out; none by default.") var leavingOut: AppChain.Part?

    func run() async throws {
      guard let request = WireLoad.request(load.url), let authority = request.head.authority else {
        throw ValidationError("--url is not an http or https URL: \(load.url)")
      }
      let dispatcher = WireLoad.dispatcher(inFlight: load.inFlight, authorities: load.authorities)
      // One chain for all loads, whose tables are filled in the first.
      let chain = try WireChain(chain, leavingOut: leavingOut, over: dispatcher, authority: authority)
      try await AllocationProbe.count(requests: load.requests) { requests in
        var load = load
        (load.warmUp, load.requests) = (0, requests)
        let report = await chain.run(load, like: request)
        guard report.failed == 0 else { throw ValidationError(report.failure ?? "a request failed") }
      }
      await dispatcher.shutdown()
    }
  }
}
