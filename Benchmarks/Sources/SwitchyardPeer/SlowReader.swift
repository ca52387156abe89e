import ArgumentParser
import CurlTransport
import Interception
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct SlowReader: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Streams one response and reads it more slowly than it arrives.")
    @Option(help: "The URL to request.") var url: String
    @Option(help: "The PEM file of trusted certificate authorities.") var authorities: String?
    @Option(help: "2 or 3: the only version of HTTP; what the dispatcher chooses by default.")
    var httpVersion: LoadVersion?
    @Option(help: "The maximum read rate in MiB per second.") var rate: Int = 256

    func run() throws {
      try Waiting.wait { [self] in try await send() }
    }

    private func send() async throws {
      guard var request = WireLoad.request(url), rate > 0 else {
        throw ValidationError("--url must be an http or https URL, --rate 1 or more.")
      }
      request.options.delivery = .streamed
      request.options.timeouts.whole = nil
      let dispatcher = WireLoad.dispatcher(inFlight: 1, authorities: authorities, version: httpVersion)
      let start = ContinuousClock.now
      let response = try await dispatcher.dispatch(request)
      guard case .stream(let stream) = response.body else {
        throw ValidationError("The response was buffered although a stream was requested.")
      }
      var bytes = 0
      for try await chunk in stream {
        bytes += chunk.count
        let due = start + .seconds(Double(bytes) / Double(rate << 20))
        if due - .now > .milliseconds(2) { try await Task.sleep(until: due) }
      }
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      let version = WireLoad.name(of: response.exchange.transport)
      PeerReport(answered: 1, failed: 0, bytes: bytes, seconds: seconds, protocolName: version).print()
      await dispatcher.shutdown()
      try httpVersion?.check(version)
    }
  }
}
