import ArgumentParser
import Interception
import PeerReporting
import SQLiteStores

extension StorePeer {
  struct Hit: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Takes responses from the disk, one after another, through a cache without memory.")
    @Option(help: "An empty directory.") var directory: String
    @Option(help: "The size of a response's content.") var bytes = 10_240
    @Option(help: "The number of responses in the store.") var stored = 1_000
    @Option(help: "The number of measured requests.") var requests: Int

    func run() throws {
      try Waiting.wait { [self] in
        let store = SQLiteResponseStore(directory: directory)
        let chain = try StorePeer.chain(store, bytes: bytes)
        for number in 0..<stored {
          _ = try await chain.send(StorePeer.request(number))
          // Storing does not wait for the disk, and the responses that wait are limited.
          if number.isMultiple(of: 100) { _ = await store.usage() }
        }
        _ = await store.usage()
        let start = ContinuousClock.now
        var hits = 0
        for number in 0..<requests {
          let response = try await chain.send(StorePeer.request(number % stored))
          if response.exchange.cache?.isHit == true { hits += 1 }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        await store.close()
        PeerReport(
          answered: hits, failed: requests - hits, bytes: hits * bytes, seconds: seconds, protocolName: "-"
        ).print()
      }
    }
  }
}
