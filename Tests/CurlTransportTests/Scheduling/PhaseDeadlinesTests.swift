import Interception
import Testing

@testable import CurlTransport

@Suite struct PhaseDeadlinesTests {
  static let limits = RequestOptions.Timeouts(
    queue: .seconds(1), connect: .seconds(2), firstByte: .seconds(3), idle: .seconds(4), whole: .seconds(60))

  private func deadline(_ seconds: Int, _ phase: NetworkError.Phase) -> DispatchState.Deadline {
    .init(time: .seconds(seconds), phase: phase)
  }

  @Test("Each phase has its own limit from its own start")
  func phases() {
    var deadlines = PhaseDeadlines(Self.limits, handedOver: .zero)
    #expect(deadlines.next == deadline(60, .whole))
    deadlines.launched(at: .seconds(10))
    #expect(deadlines.next == deadline(12, .connect))
    deadlines.connected(at: .seconds(11), hasBody: true)
    #expect(deadlines.next == deadline(15, .idle))
    deadlines.sent(at: .seconds(14))
    #expect(deadlines.next == deadline(18, .idle))
    deadlines.sentAll(at: .seconds(15))
    #expect(deadlines.next == deadline(18, .firstByte))
    deadlines.received(at: .seconds(16))
    deadlines.responded()
    #expect(deadlines.next == deadline(20, .idle))
  }

  @Test("Silence is limited from the departure on, with or without a limit of the first byte")
  func silence() {
    var deadlines = PhaseDeadlines(.init(connect: nil, idle: .seconds(4)), handedOver: .zero)
    deadlines.launched(at: .zero)
    #expect(deadlines.next == nil)
    deadlines.connected(at: .seconds(1), hasBody: false)
    #expect(deadlines.next == deadline(5, .idle))
    deadlines.received(at: .seconds(3))
    deadlines.responded()
    #expect(deadlines.next == deadline(7, .idle))
  }

  @Test("An informational response ends a silence, and neither the upload nor the wait for the response")
  func informational() {
    var deadlines = PhaseDeadlines(Self.limits, handedOver: .zero)
    deadlines.launched(at: .zero)
    deadlines.connected(at: .zero, hasBody: true)
    deadlines.received(at: .seconds(1))
    #expect(deadlines.next == deadline(5, .idle))
    deadlines.sent(at: .seconds(3))
    #expect(deadlines.next == deadline(7, .idle))
    deadlines.starved()
    #expect(deadlines.next == deadline(60, .whole))
    deadlines.fed(at: .seconds(20))
    deadlines.sentAll(at: .seconds(21))
    deadlines.received(at: .seconds(22))
    #expect(deadlines.next == deadline(24, .firstByte))
  }

  @Test("An upload that continues after the response has begun counts as progress")
  func earlyResponse() {
    var deadlines = PhaseDeadlines(Self.limits, handedOver: .zero)
    deadlines.launched(at: .zero)
    deadlines.connected(at: .zero, hasBody: true)
    deadlines.received(at: .seconds(1))
    deadlines.responded()
    deadlines.sent(at: .seconds(3))
    #expect(deadlines.next == deadline(7, .idle))
    deadlines.sentAll(at: .seconds(4))
    #expect(deadlines.next == deadline(8, .idle))
    // A connection opens only for a request that has received nothing.
    deadlines.connects(at: .seconds(5))
    #expect(deadlines.next == deadline(8, .idle))
  }

  @Test("Without a body, the wait for the response begins with the connection")
  func withoutBody() {
    var deadlines = PhaseDeadlines(Self.limits, handedOver: .zero)
    deadlines.launched(at: .zero)
    deadlines.connected(at: .seconds(1), hasBody: false)
    #expect(deadlines.next == deadline(4, .firstByte))
  }

  @Test("A connection that replaces a dead one has the limit of a new connection")
  func reconnecting() {
    var deadlines = PhaseDeadlines(Self.limits, handedOver: .zero)
    deadlines.launched(at: .zero)
    deadlines.connects(at: .seconds(1))
    #expect(deadlines.next == deadline(2, .connect))
    deadlines.connected(at: .seconds(1), hasBody: false)
    deadlines.connects(at: .seconds(5))
    #expect(deadlines.next == deadline(7, .connect))
    deadlines.connected(at: .seconds(6), hasBody: true)
    #expect(deadlines.next == deadline(10, .idle))
    deadlines.connects(at: .seconds(7))
    #expect(deadlines.next == deadline(9, .connect))
  }

  @Test("A slow source or reader does not count as silence")
  func ownSlowness() {
    var deadlines = PhaseDeadlines(Self.limits, handedOver: .zero)
    deadlines.launched(at: .zero)
    deadlines.connected(at: .zero, hasBody: true)
    deadlines.starved()
    #expect(deadlines.next == deadline(60, .whole))
    deadlines.fed(at: .seconds(20))
    #expect(deadlines.next == deadline(24, .idle))
    deadlines.received(at: .seconds(21))
    deadlines.responded()
    deadlines.paused()
    #expect(deadlines.next == deadline(60, .whole))
    deadlines.starved()
    deadlines.resumed(at: .seconds(25))
    #expect(deadlines.next == deadline(60, .whole))
    deadlines.fed(at: .seconds(30))
    #expect(deadlines.next == deadline(34, .idle))
  }

  @Test("After a refusal silence is limited, although the source waits", arguments: [true, false])
  func refusal(starvesFirst: Bool) {
    var deadlines = PhaseDeadlines(.init(connect: nil, idle: .seconds(4)), handedOver: .zero)
    deadlines.launched(at: .zero)
    deadlines.connected(at: .zero, hasBody: true)
    if starvesFirst { deadlines.starved() }
    deadlines.received(at: .seconds(20))
    deadlines.responded(isRefusal: true)
    deadlines.starved()
    #expect(deadlines.next == deadline(24, .idle))
    // A slow reader is still no silence of the server.
    deadlines.paused()
    #expect(deadlines.next == nil)
    deadlines.resumed(at: .seconds(30))
    #expect(deadlines.next == deadline(34, .idle))
  }

  @Test("The whole limit counts from the call, and ends every phase")
  func whole() {
    var deadlines = PhaseDeadlines(
      .init(connect: .seconds(10), whole: .seconds(5)), handedOver: .seconds(1))
    deadlines.launched(at: .seconds(2))
    #expect(deadlines.next == deadline(6, .whole))
  }

  @Test("The shorter one of the limits of the attempt and of the call ends every phase")
  func call() {
    var deadlines = PhaseDeadlines(.init(whole: .seconds(5), call: .seconds(4)), handedOver: .seconds(1))
    deadlines.launched(at: .seconds(2))
    #expect(deadlines.next == deadline(5, .call))
    deadlines = PhaseDeadlines(.init(whole: .seconds(5), call: .seconds(5)), handedOver: .seconds(1))
    #expect(deadlines.next == deadline(6, .whole))
    deadlines = PhaseDeadlines(.init(call: .seconds(60)), handedOver: .zero)
    #expect(deadlines.next == deadline(60, .call))
  }

  @Test("Without limits there is no deadline")
  func noLimits() {
    var deadlines = PhaseDeadlines(.init(connect: nil, idle: nil), handedOver: .zero)
    deadlines.launched(at: .zero)
    #expect(deadlines.next == nil)
    deadlines.connected(at: .zero, hasBody: true)
    deadlines.received(at: .zero)
    #expect(deadlines.next == nil)
  }

  @Test(
    "Milliseconds are rounded up, so that nothing expires early",
    arguments: [
      (Duration.milliseconds(150), 150), (.microseconds(1), 1), (.zero, 0), (.seconds(3), 3000),
      (.microseconds(1001), 2),
    ])
  func milliseconds(time: Duration, expected: Int) {
    #expect(time.wholeMilliseconds == expected)
  }
}
