import SwitchyardTesting
import Testing

@testable import RateLimiting

@Suite struct WaitingLineTests {
  private static let limit = RateLimit(10, burst: 1)

  @Test("Requests beyond the burst wait: the first for a token, the others to be the first")
  func arriving() {
    var line = WaitingLine(Self.limit, at: .zero)
    #expect(line.arrive(at: .zero, atMost: 2) == .proceed(next: nil))
    #expect(line.arrive(at: .zero, atMost: 2) == .sleep(1, .milliseconds(100)))
    #expect(line.arrive(at: .milliseconds(50), atMost: 2) == .queue(2))
    #expect(line.arrive(at: .milliseconds(50), atMost: 2) == .refuse)
    // A token that is due belongs to those that wait.
    #expect(line.arrive(at: .milliseconds(100), atMost: 3) == .queue(3))
    #expect(line.advance(1, at: .milliseconds(100)) == .proceed(next: 2))
    #expect(line.advance(2, at: .milliseconds(120)) == .sleep(2, .milliseconds(80)))
    #expect(line.advance(3, at: .milliseconds(200)) == .queue(3))
    #expect(line.advance(2, at: .milliseconds(200)) == .proceed(next: 3))
    #expect(line.advance(3, at: .milliseconds(300)) == .proceed(next: nil))
    #expect(!line.isIdle(at: .milliseconds(399)))
    #expect(line.isIdle(at: .milliseconds(400)))
  }

  @Test("The first request's place goes to the next one if it is cancelled")
  func leaving() {
    var line = WaitingLine(Self.limit, at: .zero)
    _ = line.arrive(at: .zero, atMost: 9)
    for _ in 0..<3 { _ = line.arrive(at: .zero, atMost: 9) }
    #expect(line.leave(2) == nil)
    #expect(line.leave(2) == nil)
    #expect(!line.contains(2))
    #expect(line.leave(1) == 3)
    #expect(line.isFirst(3))
    #expect(line.leave(3) == nil)
    #expect(!line.isIdle(at: .zero))
    #expect(line.arrive(at: .milliseconds(100), atMost: 9) == .proceed(next: nil))
  }

  @Test("A request that wakes early sleeps again")
  func early() {
    var line = WaitingLine(Self.limit, at: .zero)
    _ = line.arrive(at: .zero, atMost: 1)
    _ = line.arrive(at: .zero, atMost: 1)
    #expect(line.advance(1, at: .milliseconds(99)) == .sleep(1, .milliseconds(1)))
  }

  @Test("With a maximum of 0 no request waits")
  func noWaiting() {
    var line = WaitingLine(Self.limit, at: .zero)
    #expect(line.arrive(at: .zero, atMost: 0) == .proceed(next: nil))
    #expect(line.arrive(at: .zero, atMost: 0) == .refuse)
    #expect(line.arrive(at: .milliseconds(100), atMost: 0) == .proceed(next: nil))
  }
}
