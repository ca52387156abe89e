import Interception
import Testing

@testable import DNSBypass

@Suite struct RefreshScheduleTests {
  private static let day = Duration.seconds(86_400)
  private let wall = WallTime(secondsSince1970: 1_000_000)

  @Test("Without a stored list, or with one of a day ago or of the future, the list is fetched at once")
  func start() {
    for last in [nil, wall.advanced(by: .zero - Self.day), wall.advanced(by: .seconds(60))] as [WallTime?] {
      var schedule = RefreshSchedule(every: Self.day, lastSuccess: last)
      #expect(schedule.next(at: .zero, wall: wall) == .fetch)
      #expect(schedule.next(at: .seconds(9), wall: wall) == .none)
    }
  }

  @Test("The next fetch is 24 h after the last success, and the clock is read each hour")
  func interval() {
    var schedule = RefreshSchedule(every: Self.day, lastSuccess: wall.advanced(by: .seconds(-80_000)))
    #expect(schedule.next(at: .zero, wall: wall) == .wait(.seconds(3_600)))
    #expect(
      schedule.next(at: .seconds(5_400), wall: wall.advanced(by: .seconds(5_400))) == .wait(.seconds(1_000)))
    // Set ahead.
    #expect(schedule.next(at: .seconds(5_400), wall: wall.advanced(by: Self.day * 365)) == .fetch)
  }

  @Test("After a failure the waits double from a minute to an hour, less up to a quarter")
  func backOff() {
    var schedule = RefreshSchedule(every: Self.day, lastSuccess: nil)
    var now = Duration.zero
    for expected in [60, 120, 240, 480, 960, 1_920, 3_600, 3_600] {
      #expect(schedule.next(at: now, wall: wall) == .fetch)
      schedule.didFail(at: now, random: 0)
      #expect(schedule.next(at: now, wall: wall) == .wait(.seconds(expected)))
      now += .seconds(expected)
    }
    #expect(schedule.next(at: now, wall: wall) == .fetch)
    schedule.didFail(at: now, random: 1)
    #expect(schedule.next(at: now, wall: wall) == .wait(.seconds(2_700)))
    now += .seconds(2_700)
    #expect(schedule.next(at: now, wall: wall) == .fetch)
    schedule.didSucceed(at: now, wall: wall)
    #expect(schedule.next(at: now, wall: wall) == .wait(.seconds(3_600)))
  }

  @Test("A change of the network ends the back-off, but attempts are 30 s apart")
  func networkChange() {
    var schedule = RefreshSchedule(every: Self.day, lastSuccess: nil)
    _ = schedule.next(at: .zero, wall: wall)
    schedule.didFail(at: .seconds(5), random: 0)
    schedule.noteNetworkChange()
    #expect(schedule.next(at: .seconds(6), wall: wall) == .wait(.seconds(29)))
    #expect(schedule.next(at: .seconds(35), wall: wall) == .fetch)
    schedule.didSucceed(at: .seconds(36), wall: wall)
    schedule.noteNetworkChange()
    #expect(schedule.next(at: .seconds(37), wall: wall) == .wait(.seconds(29)))
    #expect(schedule.next(at: .seconds(66), wall: wall) == .fetch)
  }

  @Test("A host without a working address leads to a fetch, which obeys the back-off")
  func exhaustion() {
    var schedule = RefreshSchedule(every: Self.day, lastSuccess: wall)
    schedule.noteExhaustion()
    #expect(schedule.next(at: .zero, wall: wall) == .fetch)
    schedule.didFail(at: .zero, random: 0)
    schedule.noteExhaustion()
    #expect(schedule.next(at: .seconds(30), wall: wall) == .wait(.seconds(30)))
    #expect(schedule.next(at: .seconds(60), wall: wall) == .fetch)
    // One that happens during an attempt isn't forgotten.
    schedule.noteExhaustion()
    schedule.didSucceed(at: .seconds(61), wall: wall)
    #expect(schedule.next(at: .seconds(61), wall: wall) == .wait(.seconds(30)))
  }
}
