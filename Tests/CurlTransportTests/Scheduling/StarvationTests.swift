import Interception
import Testing

@testable import CurlTransport

/// Floods of important requests in virtual time, and the one that nobody finds important.
@Suite struct StarvationTests {
  /// Floods a dispatcher with one request of a weight every 10 ms, of which it can send one every 10 ms, and
  /// returns when a request of another weight, which came first of those that wait, was sent.
  private func timeToStart(
    weight: Int, against flood: Int, ageing: Duration, origins: Int = 1
  ) throws -> Duration? {
    var state = DispatchState(limits: .init(total: 1, perOrigin: 1, queue: 100_000, ageing: ageing))
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
      // One more than can be sent arrives now and then, so that somebody always waits.
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
    "E5: the lowest priority is sent before a flood of the highest one has gone on for eight times the ageing",
    arguments: [1, 3])
  func noStarvation(origins: Int) throws {
    let ageing = Duration.seconds(1)
    let start = try #require(try timeToStart(weight: 1, against: 256, ageing: ageing, origins: origins))
    // From 1 to 256 it is eight doublings. What came before counts as older, so a little is added.
    #expect(start <= ageing * 8 + .milliseconds(50))
    #expect(start >= ageing * 7)
  }

  @Test func `without ageing the order is that of arrival`() throws {
    let start = try #require(try timeToStart(weight: 1, against: 256, ageing: .zero))
    #expect(start <= .milliseconds(50))
  }

  @Test func `ageing that never counts lets the important ones go first for ever`() throws {
    #expect(try timeToStart(weight: 1, against: 256, ageing: .seconds(3600)) == nil)
  }
}
