import ArgumentParser
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import PeerReporting

@main struct AsyncHTTPClientPeer: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "The same load over async-http-client.")
  @OptionGroup var load: LoadOptions

  func run() throws {
    try Waiting.wait { [self] in try await send() }
  }

  private func send() async throws {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = load.inFlight
    if let authorities = load.authorities {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = .file(authorities)
      configuration.tlsConfiguration = tls
    }
    let client = HTTPClient(configuration: configuration)
    let url = load.url
    let report = await LoadRun.run(load) { tally in
      var (answered, bytes, version) = (0, 0, "-")
      while tally.take() {
        do {
          let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(20))
          let body = try await response.body.collect(upTo: 64 << 20)
          guard response.status == .ok else {
            tally.noteFailure("the status is \(response.status.code)")
            continue
          }
          answered += 1
          bytes += body.readableBytes
          version = response.version.major == 2 ? "h2" : "h1"
        } catch {
          tally.noteFailure("\(error)")
        }
      }
      tally.note(answered: answered, bytes: bytes, over: version)
    }
    report.print()
    try await client.shutdown()
  }
}
