import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("SimulatedNetwork", .timeLimit(.minutes(5)))
struct SimulatedNetworkTests {
  private static let limit = RequestOptions.Timeouts(connect: .seconds(2), idle: .seconds(3))

  /// Sends a request, and returns how it ended and how long it took by the clock.
  private static func outcome(
    of request: Request = Request(authority: "api.example", path: "/a"), fault: SimulatedFault
  ) async -> (result: Result<Response, NetworkError>, duration: Duration, arrivals: Int) {
    let clock = TestClock()
    let network = SimulatedNetwork(seed: 1, faults: { _, _ in fault }, clock: clock)
    network.serve("api.example") { arrival in
      Response(status: .ok, bytes: Array("\(arrival.path) has \(arrival.body.count)".utf8))
    }
    var request = request
    request.options.timeouts = limit
    let result = await Self.running(clock) { [request] in
      do throws(NetworkError) {
        return Result<Response, NetworkError>.success(try await network.dispatch(request))
      } catch { return .failure(error) }
    }
    #expect(network.runningCount == 0)
    return (result, clock.now.offset, network.arrivals.count)
  }

  /// Advances a clock from deadline to deadline while `work` runs.
  ///
  /// An exchange sleeps for one thing at a time, so how long a busy machine takes doesn't show in the time.
  private static func running<Output: Sendable>(
    _ clock: TestClock, _ work: @escaping @Sendable () async -> Output
  ) async -> Output {
    let advancing = Task {
      while !Task.isCancelled {
        await Task.yield()
        clock.advanceToNextDeadline()
      }
    }
    let output = await work()
    advancing.cancel()
    await advancing.value
    return output
  }

  @Test("Without a fault the server's response is delivered, after latencies")
  func answered() async throws {
    let outcome = await Self.outcome(fault: .none)
    let response = try outcome.result.get()
    #expect(response.status == .ok)
    #expect(try await response.body.collect(upTo: 100) == Array("/a has 0".utf8))
    #expect(response.exchange.transport?.remoteAddress == "the address of api.example")
    #expect(outcome.duration >= .milliseconds(20) && outcome.arrivals == 1)
  }

  @Test(
    "A fault ends an exchange as its kind says, and tells whether the server may have processed it",
    arguments: [
      (.refused, .connect, false, 0), (.silentAddress, .timeout(.connect), false, 0),
      (.lostBefore, .transport, true, 0), (.lostAfter, .transport, true, 1),
      (.stalledBefore, .timeout(.idle), true, 0), (.stalledAfter, .timeout(.idle), true, 1),
      (.slow(.seconds(60)), .timeout(.idle), true, 1), (.bodyBreaks, .transport, true, 1),
      (.bodyStalls, .timeout(.idle), true, 1),
    ] as [(SimulatedFault, NetworkError.Kind, Bool, Int)])
  func faults(fault: SimulatedFault, kind: NetworkError.Kind, mayBeProcessed: Bool, arrivals: Int) async {
    let outcome = await Self.outcome(fault: fault)
    guard case .failure(let error) = outcome.result else {
      Issue.record("\(fault) gave a response")
      return
    }
    #expect(error.kind == kind && error.requestMayHaveBeenProcessed == mayBeProcessed)
    #expect(outcome.arrivals == arrivals)
  }

  @Test("An overloaded server responds in place of the handler, with Retry-After as seconds or as a date")
  func overloaded() async throws {
    let seconds = await Self.outcome(fault: .overloaded(.tooManyRequests, retryAfter: 5))
    let response = try seconds.result.get()
    #expect(response.status == .tooManyRequests && response.head.headerFields[.retryAfter] == "5")
    #expect(seconds.arrivals == 0)
    let date = try await Self.outcome(fault: .overloaded(.serviceUnavailable, retryAfter: 60, isDate: true))
      .result.get()
    #expect(date.head.headerFields[.retryAfter] == "Fri, 15 Jan 2027 08:01:00 GMT")
  }

  @Test("A streamed body counts as running until it is read")
  func streamed() async throws {
    let clock = TestClock()
    let network = SimulatedNetwork(seed: 1, clock: clock)
    network.serve("api.example") { _ in Response(status: .ok, bytes: Array("content".utf8)) }
    let delivered = await Self.running(clock) {
      var request = Request(authority: "api.example", path: "/")
      request.options.delivery = .streamed
      return try? await network.dispatch(request)
    }
    let response = try #require(delivered)
    #expect(network.runningCount == 1)
    let bytes = await Self.running(clock) { try? await response.body.collect(upTo: 100) }
    #expect(bytes == Array("content".utf8) && network.runningCount == 0)
  }

  @Test("A request to an origin without a server gets a 404, and one without a network fails")
  func unknown() async throws {
    let clock = TestClock()
    let network = SimulatedNetwork(seed: 1, clock: clock)
    let result = await Self.running(clock) {
      try? await network.dispatch(Request(authority: "other.example", path: "/")).status
    }
    #expect(result == .notFound)
    network.isUp = false
    await #expect { _ = try await network.dispatch(Request(authority: "other.example", path: "/")) } throws: {
      ($0 as? NetworkError)?.kind == .offline
    }
    network.heal()
    #expect(network.isUp)
  }
}
