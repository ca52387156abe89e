import ArgumentParser
import PeerReporting
import SwitchyardLoad

extension SwitchyardPeer {
  struct Connect: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sends first requests to an origin, with and without having connected to it before.")
    @Option(help: "The URL to request, with https.") var url: String
    @Option(help: "A URL of another origin, which is requested first.") var otherURL: String
    @Option(help: "The PEM file of trusted certificate authorities.") var authorities: String?
    @Option(help: "The number of measured requests of each kind.") var requests: Int

    func run() throws {
      try Waiting.wait { [self] in
        guard let load = ConnectLoad(url, after: otherURL, authorities: authorities) else {
          throw ValidationError("--url and --other-url must be http or https URLs.")
        }
        for connects in [true, false] { _ = try await load.firstByte(connects: connects) }
        var (connected, unconnected) = (Duration.zero, Duration.zero)
        for _ in 0..<requests {
          connected += try await load.firstByte(connects: true)
          unconnected += try await load.firstByte(connects: false)
        }
        PeerReport(
          answered: requests, failed: 0, bytes: 0, seconds: connected / .seconds(1), protocolName: "-",
          baseSeconds: unconnected / .seconds(1)
        ).print()
      }
    }
  }
}
