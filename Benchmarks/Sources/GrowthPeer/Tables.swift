import ArgumentParser
import HTTPTypes
import HeapMeasuring
import Interception
import Mediation
import PeerReporting
import Synchronization

extension GrowthPeer {
  /// A table of many routes, twenty for each host, and look-ups spread over all of them.
  struct Routes: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Builds and uses a table of many routes.")
    @Option(help: "The number of routes, at most 100,000.") var size: Int
    @Option(help: "The number of measured look-ups.") var requests: Int

    func validate() throws {
      guard (1...100_000).contains(size) else { throw ValidationError("--size must be from 1 to 100,000.") }
    }

    func run() throws {
      let patterns = (0..<size).map { "api://module-\($0 / 20)/page-\($0 % 20)/{id}/parts/{part:int}" }
      // Instantiates the types of the routes, which exist already in a real program.
      _ = try NumberedRoutes.mediator(patterns)
      var report = GrowthReport()
      let before = heap_bytes()
      let start = ProcessorTime.now()
      let mediator = try NumberedRoutes.mediator(patterns)
      report.add("build", since: start, by: ProcessorTime.now(), units: size)
      report.add("memory", bytes: heap_bytes() - before, units: size)
      var numbers = SplitMix(state: 1)
      let urls = (0..<min(requests, 10_000)).map { _ in
        let number = Int(numbers.next() % UInt64(size))
        return "api://module-\(number / 20)/page-\(number % 20)/house/parts/\(number)"
      }
      guard urls.allSatisfy({ mediator.lookUp($0) != nil }) else { throw Trouble("a URL has no route") }
      let passes = max(1, requests / urls.count)
      let second = ProcessorTime.now()
      var found = 0
      for _ in 0..<passes { for url in urls { found += mediator.lookUp(url) == nil ? 0 : 1 } }
      report.add("look-up", since: second, by: ProcessorTime.now(), units: passes * urls.count)
      guard found == passes * urls.count else { throw Trouble("a look-up failed") }
      report.print()
    }
  }

  /// A chain of interceptors that only call the next.
  struct Interceptors: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sends requests through many interceptors.")
    @Option(help: "The number of interceptors.") var size: Int
    @Option(help: "The number of measured calls.") var requests: Int

    func run() throws {
      try Waiting.wait { [self] in
        let stub = Stub()
        let before = heap_bytes()
        let pipeline = try Pipeline(over: stub) { for _ in 0..<size { Passing() } }
        var report = GrowthReport()
        for _ in 0..<requests / 4 {
          _ = try await pipeline.send(Request(authority: "api.example.com", path: "/"))
        }
        report.add("memory", bytes: stub.heap.load(ordering: .relaxed) - before, units: size)
        let start = ProcessorTime.now()
        for _ in 0..<requests {
          _ = try await pipeline.send(Request(authority: "api.example.com", path: "/"))
        }
        report.add("call", since: start, by: ProcessorTime.now(), units: requests * size)
        report.print()
      }
    }

    private struct Passing: Interceptor {
      let traits = InterceptorTraits(stage: .wire, allowsSeveral: true)

      func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
        try await next.dispatch(request)
      }
    }

    /// Responds at once, and notes the heap in the middle of the first call.
    private final class Stub: Dispatcher {
      let heap = Atomic(0)

      func dispatch(_ request: Request) async throws(NetworkError) -> Response {
        if heap.load(ordering: .relaxed) == 0 { heap.store(heap_bytes(), ordering: .relaxed) }
        return Response(status: .ok)
      }
    }
  }
}
