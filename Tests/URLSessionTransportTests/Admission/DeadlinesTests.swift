import Interception
import Testing

@testable import URLSessionTransport

@Suite struct DeadlinesTests {
  private func deadlines(_ whole: Duration? = .seconds(100)) -> Deadlines {
    Deadlines(
      .init(
        queue: .seconds(1), connect: .seconds(2), firstByte: .seconds(3), idle: .seconds(4), whole: whole),
      handedOver: .seconds(10))
  }

  @Test("Each phase has its own limit, starting with the phase")
  func phases() {
    var deadlines = deadlines()
    #expect(deadlines.next == .init(time: .seconds(11), phase: .queue))
    deadlines.admitted()
    #expect(deadlines.next == .init(time: .seconds(110), phase: .whole))
    deadlines.launched(at: .seconds(20))
    #expect(deadlines.next == .init(time: .seconds(23), phase: .firstByte))
    deadlines.sent(at: .seconds(22))
    #expect(deadlines.next == .init(time: .seconds(25), phase: .firstByte))
    deadlines.received(at: .seconds(24))
    #expect(deadlines.next == .init(time: .seconds(28), phase: .idle))
    deadlines.received(at: .seconds(27))
    #expect(deadlines.next == .init(time: .seconds(31), phase: .idle))
  }

  @Test("Silence before the response is limited like any other")
  func silence() {
    var deadlines = Deadlines(.init(idle: .seconds(4)), handedOver: .zero)
    deadlines.launched(at: .seconds(1))
    #expect(deadlines.next == .init(time: .seconds(5), phase: .idle))
    deadlines.sent(at: .seconds(3))
    #expect(deadlines.next == .init(time: .seconds(7), phase: .idle))
  }

  @Test("A paused transfer is not idle")
  func paused() {
    var deadlines = deadlines(nil)
    deadlines.launched(at: .zero)
    deadlines.received(at: .zero)
    deadlines.paused()
    #expect(deadlines.next == nil)
    deadlines.released(at: .seconds(50))
    #expect(deadlines.next == .init(time: .seconds(54), phase: .idle))
  }

  @Test("The limit of the whole attempt starts with the caller's request")
  func whole() {
    var deadlines = deadlines(.milliseconds(500))
    #expect(deadlines.next == .init(time: .milliseconds(10_500), phase: .whole))
    deadlines.launched(at: .seconds(10))
    #expect(deadlines.next?.phase == .whole)
  }

  @Test("The shorter one of the limits of the attempt and of the call ends every phase")
  func call() {
    var deadlines = Deadlines(.init(whole: .seconds(5), call: .seconds(4)), handedOver: .seconds(1))
    #expect(deadlines.next == .init(time: .seconds(5), phase: .call))
    deadlines = Deadlines(.init(whole: .seconds(5), call: .seconds(5)), handedOver: .seconds(1))
    #expect(deadlines.next == .init(time: .seconds(6), phase: .whole))
    deadlines = Deadlines(.init(whole: nil, call: .seconds(60)), handedOver: .zero)
    #expect(deadlines.next == .init(time: .seconds(60), phase: .call))
  }
}
