import ArgumentParser
import CurlTransport
import HTTPTypes
import HeapMeasuring
import Interception
import PeerReporting

extension GrowthPeer {
  /// Many connections to one origin, all in use or most of them idle.
  struct Connections: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Keeps many connections to one origin.")
    @Option(help: "The number of connections.") var size: Int
    @Option(help: "The server's port on 127.0.0.1.") var port: Int
    @Option(help: "The number of requests in flight; one for each connection by default.")
    var inFlight: Int?
    @Option(help: "The number of measured requests.") var requests: Int

    /// How many connections are opened at once: the server's queue of those that it has not accepted yet has
    /// 4,096 places, and a connection beyond them waits for seconds.
    private static let wave = 2_000
    /// The time between two waves; all must be open before the first response, which comes after 4 s.
    private static let pause = Duration.milliseconds(400)

    func run() throws {
      try Waiting.wait { [self] in try await measure() }
    }

    private func measure() async throws {
      let (held, small) = (head("/hold"), head("/1k"))
      let before = heap_bytes()
      let dispatcher = Senders.dispatcher(total: size, perOrigin: size, kept: size, queue: size)
      // The server delays these responses, so that each request needs a connection.
      try await withThrowingTaskGroup { group in
        for start in stride(from: 0, to: size, by: Self.wave) {
          let count = min(Self.wave, size - start)
          group.addTask {
            try await Senders.send(count, by: count, through: dispatcher, expecting: .unauthorized) { _ in
              Request(held)
            }
          }
          if start + count < size { try await Task.sleep(for: Self.pause) }
        }
        try await group.waitForAll()
      }
      try await Senders.check(dispatcher, has: size)
      let senders = min(inFlight ?? size, size)
      try await Senders.send(requests / 4, by: senders, through: dispatcher, expecting: .ok) { _ in
        Request(small)
      }
      var report = GrowthReport()
      report.add("memory", bytes: heap_bytes() - before, units: size)
      let start = ProcessorTime.now()
      try await Senders.send(requests, by: senders, through: dispatcher, expecting: .ok) { _ in
        Request(small)
      }
      report.add("request", since: start, by: ProcessorTime.now(), units: requests)
      try await Senders.check(dispatcher, has: size)
      await dispatcher.shutdown()
      report.print()
    }

    private func head(_ path: String) -> HTTPRequest {
      HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: path)
    }
  }

  /// Many requests to one origin at once, of which few run.
  struct WaitingRequests: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "waiting",
      abstract: "Sends many requests at once over few connections to one origin.")
    @Option(help: "The number of requests at once.") var size: Int
    @Option(help: "The server's port on 127.0.0.1.") var port: Int
    @Option(help: "The number of measured requests.") var requests: Int

    func run() throws {
      try Waiting.wait { [self] in
        let head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: "/1k")
        let dispatcher = Senders.dispatcher(total: 64, perOrigin: 64, kept: 64, queue: size)
        try await Senders.send(size, by: size, through: dispatcher, expecting: .ok) { _ in Request(head) }
        let bursts = max(1, requests / size)
        let start = ProcessorTime.now()
        for _ in 0..<bursts {
          try await Senders.send(size, by: size, through: dispatcher, expecting: .ok) { _ in Request(head) }
        }
        var report = GrowthReport()
        report.add("request", since: start, by: ProcessorTime.now(), units: bursts * size)
        await dispatcher.shutdown()
        report.print()
      }
    }
  }
}
