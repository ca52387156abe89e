import RequestSigning
import Testing

@testable import ValkeyStores

@Suite struct ReconnectScheduleTests {
  private static let error = NonceStoreError(.unreachable, "gone")

  @Test("The first attempt is immediate")
  func immediate() {
    let schedule = ReconnectSchedule(.milliseconds(50)...(.seconds(2)))
    #expect(schedule.refusal(at: .zero) == nil)
  }

  @Test("The delay doubles with each failure, up to the maximum, and claims get the last error meanwhile")
  func doubling() {
    var schedule = ReconnectSchedule(.milliseconds(50)...(.seconds(2)))
    var now = Duration.zero
    for milliseconds in [50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000] {
      schedule.recordFailure(Self.error, at: now, fraction: 0)
      #expect(schedule.refusal(at: now + .milliseconds(milliseconds) - .nanoseconds(1)) == Self.error)
      now += .milliseconds(milliseconds)
      #expect(schedule.refusal(at: now) == nil)
    }
  }

  @Test("At most half of the delay is subtracted", arguments: [(0.0, 100), (1.0, 50), (0.5, 75), (7.0, 50)])
  func jitter(_ fraction: Double, _ milliseconds: Int) {
    var schedule = ReconnectSchedule(.milliseconds(100)...(.seconds(2)))
    schedule.recordFailure(Self.error, at: .zero, fraction: fraction)
    #expect(schedule.refusal(at: .milliseconds(milliseconds) - .nanoseconds(1)) != nil)
    #expect(schedule.refusal(at: .milliseconds(milliseconds)) == nil)
  }

  @Test("A success resets the delay")
  func reset() {
    var schedule = ReconnectSchedule(.milliseconds(50)...(.seconds(2)))
    for _ in 0..<5 { schedule.recordFailure(Self.error, at: .zero, fraction: 0) }
    schedule.recordSuccess()
    #expect(schedule.refusal(at: .zero) == nil)
    schedule.recordFailure(Self.error, at: .zero, fraction: 0)
    #expect(schedule.refusal(at: .milliseconds(50)) == nil)
  }
}
