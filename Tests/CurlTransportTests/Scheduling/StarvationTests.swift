import Interception
import Testing

@testable import CurlTransport

/// A low-priority request during a flood of high-priority ones, in virtual time.
@Suite struct StarvationTests {
  /// Submits a request of weight `flood` every 10 ms, of which one can run every 10 ms, and returns when a
  /// request of another weight, the first one in the queue, starts.
  private func timeToStart(
    weight: Int, against flood: Int, ageing: Duration, origins: Int = 1
  ) throws -> Duration? {
    var limits = CurlDispatcher.Limits(total: 1, perOrigin: 1, queue: 100_000)
    limits.ageing = ageing
    var state = DispatchState(limits: limits)
    var actions: [DispatchState.Action] = []
    var running: TransferID?
    var now = Duration.zero
    let lowly = TransferID(number: 1)
    for number in 0..<6000 {
      let priority = RequestOptions.Priority(weight: number == 1 ? weight : flood)
      let origin = WebOrigin(scheme: .https, host: "h\(number % origins).test", port: 443)
      state.submit(
        .init(id: TransferID(number: UInt64(number)), origin: origin, priority: priority, deadline: nil),
        at: now, &actions)
      // The first requests exceed the limit, so that there is always a waiting one.
      if number > 2, let ended = running { state.finish(ended, &actions) }
      for case .start(let id) in actions {
        if id == lowly { return now }
        running = id
      }
      actions = []
      now += .milliseconds(10)
    }
    return nil
  }

  @Test(
    "E5: The lowest priority starts within eight times the ageing, despite a flood of the highest",
    arguments: [1, 3])
  func noStarvation(origins: Int) throws {
    let ageing = Duration.seconds(1)
    let start = try #require(try timeToStart(weight: 1, against: 256, ageing: ageing, origins: origins))
    // From 1 to 256 there are eight doublings; the margin is for requests that arrived earlier.
    #expect(start <= ageing * 8 + .milliseconds(50))
    #expect(start >= ageing * 7)
  }

  @Test("Without ageing requests start in the order of arrival")
  func noAgeing() throws {
    let start = try #require(try timeToStart(weight: 1, against: 256, ageing: .zero))
    #expect(start <= .milliseconds(50))
  }

  @Test("With a very long ageing, high priorities always go first")
  func longAgeing() throws {
    #expect(try timeToStart(weight: 1, against: 256, ageing: .seconds(3600)) == nil)
  }
}
