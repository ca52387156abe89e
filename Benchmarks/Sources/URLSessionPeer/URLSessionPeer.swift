import ArgumentParser
import Foundation
import PeerReporting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@main struct URLSessionPeer: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "The same load over URLSession.")
  @OptionGroup var load: LoadOptions

  func run() throws {
    try Waiting.wait { [self] in try await send() }
  }

  private func send() async throws {
    guard let url = URL(string: load.url) else { throw ValidationError("--url is not a URL: \(load.url)") }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = load.inFlight
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = 20
    let session = URLSession(configuration: configuration)
    let report = await LoadRun.run(load) { tally in
      var (answered, bytes) = (0, 0)
      while tally.take() {
        do {
          let (body, response) = try await session.data(for: URLRequest(url: url))
          guard let status = (response as? HTTPURLResponse)?.statusCode, status == 200 else {
            tally.noteFailure("the response is not an HTTP response with status 200")
            continue
          }
          answered += 1
          bytes += body.count
        } catch {
          tally.noteFailure("\(error)")
        }
      }
      tally.note(answered: answered, bytes: bytes, over: "-")
    }
    report.print()
    session.invalidateAndCancel()
  }
}
