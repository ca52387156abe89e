import ArgumentParser
import Interception
import PeerReporting
import SQLiteStores

extension StorePeer {
  struct Hit: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Takes responses from the disk through a cache without memory.")
    @Option(help: "The directory of the store, which is filled if it is empty.") var directory: String
    @Option(help: "The size of a response's content.") var bytes = 10_240
    @Option(help: "The number of responses in the store.") var stored = 1_000
    @Option(help: "The number of tasks that send requests at the same time.") var atOnce = 1
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
        let share = requests / atOnce
        let start = ContinuousClock.now
        let hits = try await withThrowingTaskGroup { [stored, atOnce] group in
          for task in 0..<atOnce {
            group.addTask {
              try await Self.hits(chain, task * stored / atOnce..<task * stored / atOnce + share, of: stored)
            }
          }
          return try await group.reduce(0, +)
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        await store.close()
        PeerReport(
          answered: hits, failed: share * atOnce - hits, bytes: hits * bytes, seconds: seconds,
          protocolName: "-"
        ).print()
      }
    }

    /// Sends requests one after another, and returns how many of them were answered from the disk.
    private static func hits(_ chain: Pipeline, _ numbers: Range<Int>, of stored: Int) async throws -> Int {
      var hits = 0
      for number in numbers {
        let response = try await chain.send(StorePeer.request(number % stored))
        if response.exchange.cache?.isHit == true { hits += 1 }
      }
      return hits
    }
  }
}
