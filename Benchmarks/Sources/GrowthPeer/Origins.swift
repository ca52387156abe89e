import ArgumentParser
import CurlTransport
import HTTPTypes
import HeapMeasuring
import Interception
import PeerReporting

extension GrowthPeer {
  /// Requests to many origins at once, of which 64 run, with a connection kept to each.
  struct Origins: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sends bursts of requests to many origins, one to each.")
    @Option(help: "The number of origins, each an address of this machine.") var size: Int
    @Option(help: "The server's port on all addresses.") var port: Int
    @Option(help: "The minimum number of measured requests.") var requests: Int
    @Option(help: "The number of threads that carry transfers.") var loops = 1

    func run() throws {
      try Waiting.wait { [self] in try await measure() }
    }

    private func measure() async throws {
      let heads = (0..<size).map { number in
        HTTPRequest(
          method: .get, scheme: "http",
          authority: "127.\(1 + number / 40_000).\(number / 200 % 200).\(1 + number % 200):\(port)",
          path: "/1k")
      }
      let before = heap_bytes()
      let dispatcher = Senders.dispatcher(total: 64, perOrigin: 6, kept: size, queue: size, loops: loops)
      try await burst(heads, through: dispatcher)
      try await burst(heads, through: dispatcher)
      try await Senders.check(dispatcher, has: size)
      var report = GrowthReport()
      report.add("memory", bytes: heap_bytes() - before, units: size)
      let bursts = max(1, requests / size)
      let start = ProcessorTime.now()
      for _ in 0..<bursts { try await burst(heads, through: dispatcher) }
      report.add("request", since: start, by: ProcessorTime.now(), units: bursts * size)
      try await Senders.check(dispatcher, has: size)
      await dispatcher.shutdown()
      report.print()
    }

    private func burst(_ heads: [HTTPRequest], through dispatcher: CurlDispatcher) async throws {
      try await Senders.send(size, by: size, through: dispatcher, expecting: .ok) { Request(heads[$0]) }
    }
  }
}
