import ArgumentParser
import Interception
import PeerReporting
import SQLiteStores

extension StorePeer {
  struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Opens a store, and reads a response from it; with --fill it is filled instead.")
    @Option(help: "The directory of the store.") var directory: String
    @Option(help: "The size of a response's content.") var bytes = 16_384
    @Option(help: "Stores this many responses.") var fill: Int?

    private var limits: SQLiteResponseStore.Limits { .init(bytes: 2 << 30, responses: 1_000_000) }

    func run() throws {
      try Waiting.wait { [self] in
        let start = ContinuousClock.now
        let store = SQLiteResponseStore(directory: directory, limits: limits)
        let fault = await store.fault()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        if let fault { throw fault }
        let chain = try StorePeer.chain(store, bytes: bytes)
        if let fill {
          for number in 0..<fill {
            _ = try await chain.send(StorePeer.request(number))
            if number.isMultiple(of: 100) { _ = await store.usage() }
          }
        }
        let isHit = try await chain.send(StorePeer.request(0)).exchange.cache?.isHit == true
        let used = await store.usage().bytes
        await store.close()
        PeerReport(
          answered: isHit ? 1 : 0, failed: isHit ? 0 : 1, bytes: used, seconds: seconds, protocolName: "-"
        ).print()
      }
    }
  }
}
