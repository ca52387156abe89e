import ArgumentParser
import CurlTransport
import PeerReporting
import SwitchyardLoad

extension AllocationProbe {
  struct Wire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures CurlDispatcher.")
    @OptionGroup var load: LoadOptions

    func run() async throws {
      guard let request = WireLoad.request(load.url) else {
        throw ValidationError("--url is not an http or https URL: \(load.url)")
      }
      let dispatcher = WireLoad.dispatcher(inFlight: load.inFlight, authorities: load.authorities)
      try await AllocationProbe.count(requests: load.requests) { requests in
        var load = load
        (load.warmUp, load.requests) = (0, requests)
        let report = await WireLoad.run(load, like: request, through: dispatcher)
        guard report.failed == 0 else { throw ValidationError(report.failure ?? "a request failed") }
      }
      await dispatcher.shutdown()
    }
  }
}
