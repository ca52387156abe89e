import ArgumentParser
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct FirstByte: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sends each request by a new dispatcher, and takes the time to the head of its response.")
    @Option(help: "The URL to request, with https.") var url: String
    @Option(help: "The PEM file of trusted certificate authorities.") var authorities: String?
    @Option(help: "The address to connect to; that of the URL's host by default.") var address: String?
    @Option(help: "2, or 3 raced by 2.") var httpVersion: LoadVersion
    @Option(help: "The number of measured requests.") var requests: Int

    func run() throws {
      try Waiting.wait { [self] in
        guard let request = WireLoad.request(url, at: address) else {
          throw ValidationError("--url is not an http or https URL: \(url)")
        }
        var time = Duration.zero
        for number in 0...requests {
          let next = try await ConnectLoad.firstByte(
            of: request, authorities: authorities, version: httpVersion)
          // The first one loads libraries.
          if number > 0 { time += next }
        }
        PeerReport(
          answered: requests, failed: 0, bytes: 0, seconds: time / .seconds(1), protocolName: "-"
        ).print()
      }
    }
  }
}
