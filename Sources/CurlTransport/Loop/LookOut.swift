import CCurlShims

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// When somebody looks out for news of another thread for a moment before he sleeps.
///
/// A task that sends one request after another comes back within microseconds of its answer, as does the answer of a
/// server nearby, and waking a thread takes longer. Where nothing comes in time, whoever looks soon gives up looking,
/// and tries again now and then.
struct LookOut {
  /// How long the thread looks out for the next request.
  static let requestTime = Duration.microseconds(40)
  /// How long a caller looks out for the answer to the only request under way.
  static let answerTime = Duration.microseconds(100)
  private static let mostMisses = 2
  private static let pause = 64

  private var misses = 0
  private var skipped = 0

  /// Whether to look this time.
  mutating func begins() -> Bool {
    guard misses >= Self.mostMisses else { return true }
    skipped += 1
    guard skipped >= Self.pause else { return false }
    skipped = 0
    return true
  }

  /// Notes whether somebody came.
  mutating func end(hasSeen: Bool) { misses = hasSeen ? 0 : misses + 1 }

  /// Looks for so long; returns whether `isThere` became true.
  static func waits(_ time: Duration, for isThere: () -> Bool) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + time
    repeat {
      for _ in 0..<16 {
        if isThere() { return true }
        switchyard_pause()
      }
      // Whoever is to bring the news may wait for this very processor.
      sched_yield()
    } while clock.now < end
    return false
  }
}
