import ArgumentParser
import Interception
import PeerReporting
import ResponseCaching
import SQLiteStores

extension StorePeer {
  struct Burst: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Takes responses from the disk while others are stored as fast as the disk permits.",
      discussion: "Prints the time that one of a hundred hits exceeds as slow-seconds."
    )
    @Option(help: "The directory of the store, which is filled if it is empty.") var directory: String
    @Option(help: "The size of a response's content.") var bytes = 10_240
    @Option(help: "The number of responses in the store.") var stored = 1_000
    @Option(help: "The number of measured requests.") var requests: Int

    func run() throws {
      try Waiting.wait { [self] in
        let store = SQLiteResponseStore(directory: directory, limits: .init(bytes: 64 << 20))
        let chain = try StorePeer.chain(store, bytes: bytes)
        for number in 0..<stored {
          _ = try await chain.send(StorePeer.request(number))
          if number.isMultiple(of: 100) { _ = await store.usage() }
        }
        let writing = Task { [stored] in
          var number = stored
          while !Task.isCancelled {
            _ = try await chain.send(StorePeer.request(number))
            number += 1
            if number.isMultiple(of: 100) { _ = await store.usage() }
          }
          return number - stored
        }
        let start = ContinuousClock.now
        var (hits, times): (Int, [Duration]) = (0, [])
        for number in 0..<requests {
          let before = ContinuousClock.now
          let response = try await chain.send(StorePeer.request(number % stored))
          times.append(ContinuousClock.now - before)
          // What was evicted meanwhile is stored again.
          if response.exchange.cache?.isHit == true { hits += 1 }
          await Task.yield()
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        writing.cancel()
        let written = try await writing.value
        await store.close()
        times.sort()
        var report = PeerReport(
          answered: requests, failed: written > 100 && hits > requests / 2 ? 0 : 1, bytes: hits * bytes,
          seconds: seconds, protocolName: "-")
        report.slowSeconds = times[requests - 1 - requests / 100] / .seconds(1)
        report.print()
      }
    }
  }
}
