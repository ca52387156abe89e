import Interception
import Testing

@testable import CurlTransport

@Suite struct PhaseDeadlinesTests {
  static let limits = RequestOptions.Timeouts(
    queue: .seconds(1), connect: .seconds(2), firstByte: .seconds(3), idle: .seconds(4), whole: .seconds(60))

  private func deadline(_ seconds: Int, _ phase: NetworkError.Phase) -> DispatchState.Deadline {
    .init(time: .seconds(seconds), phase: phase)
  }

  @Test func `each phase has its own limit, counted from its own start`() {
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
    #expect(deadlines.next == deadline(20, .idle))
  }

  @Test func `without a body the wait for the answer begins with the connection`() {
    var deadlines = PhaseDeadlines(Self.limits, handedOver: .zero)
    deadlines.launched(at: .zero)
    deadlines.connected(at: .seconds(1), hasBody: false)
    #expect(deadlines.next == deadline(4, .firstByte))
  }

  @Test func `a connection that takes a dead one's place has the time of a connection`() {
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

  @Test func `our own slowness is no silence of the peer`() {
    var deadlines = PhaseDeadlines(Self.limits, handedOver: .zero)
    deadlines.launched(at: .zero)
    deadlines.connected(at: .zero, hasBody: true)
    deadlines.starved()
    #expect(deadlines.next == deadline(60, .whole))
    deadlines.release(at: .seconds(20))
    #expect(deadlines.next == deadline(24, .idle))
    deadlines.received(at: .seconds(21))
    deadlines.paused()
    #expect(deadlines.next == deadline(60, .whole))
    deadlines.release(at: .seconds(30))
    #expect(deadlines.next == deadline(34, .idle))
  }

  @Test func `the whole counts from the hand-over and cuts every phase`() {
    var deadlines = PhaseDeadlines(
      .init(connect: .seconds(10), whole: .seconds(5)), handedOver: .seconds(1))
    deadlines.launched(at: .seconds(2))
    #expect(deadlines.next == deadline(6, .whole))
  }

  @Test func `what has no limit never ends`() {
    var deadlines = PhaseDeadlines(.init(connect: nil, whole: nil), handedOver: .zero)
    deadlines.launched(at: .zero)
    #expect(deadlines.next == nil)
    deadlines.received(at: .zero)
    #expect(deadlines.next == nil)
  }

  @Test(arguments: [
    (Duration.milliseconds(150), 150), (.microseconds(1), 1), (.zero, 0), (.seconds(3), 3000),
    (.microseconds(1001), 2),
  ])
  func `milliseconds are rounded up, so that nothing ends too early`(time: Duration, expected: Int) {
    #expect(time.wholeMilliseconds == expected)
  }
}
