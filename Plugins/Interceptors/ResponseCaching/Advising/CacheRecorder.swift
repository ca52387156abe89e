import Interception
import Synchronization

/// Records how an app uses its cache, so that ``CacheAdvice`` can say which limit would suit it.
///
/// Use it in a test run or for some of an app's users, and not always: it takes about 64 bytes per request.
/// Requests that bypass the cache are not recorded.
///
/// ```swift
/// let recorder = CacheRecorder()
/// let cache = CachingInterceptor(recorder: recorder)
/// // after the run
/// let advice = CacheAdvice(recorder.recording, bytes: [1 << 20, 4 << 20, 16 << 20, 64 << 20])
/// print(advice)
/// ```
public final class CacheRecorder: Sendable {
  private struct State {
    var entries: [CacheRecording.Entry] = []
    var start: CacheInstant?
    var omittedCount = 0
  }

  private let maximumCount: Int
  private let state = Mutex(State())

  /// Creates a recorder.
  ///
  /// - Parameter maximumRequests: The maximum number of requests, after which the recording ends; 100,000 by
  ///   default.
  public init(maximumRequests: Int = 100_000) { maximumCount = max(0, maximumRequests) }

  /// The requests so far.
  public var recording: CacheRecording { CacheRecording(entries: state.withLock { $0.entries }) }

  /// The number of requests that were not recorded because the maximum was reached.
  package var omittedRequests: Int { state.withLock { $0.omittedCount } }

  /// Records that a stored response was used without contacting the server.
  func recordHit(_ stored: StoredResponse, at now: CacheInstant) {
    record(stored.key, size: stored.size, lifetime: stored.freshness.lifetime, isHit: true, at: now)
  }

  /// Records that a request was forwarded.
  ///
  /// - Parameter stored: The response to store; nil if it may not be stored.
  func recordMiss(_ key: CacheKey, stored: StoredResponse?, at now: CacheInstant) {
    record(key, size: stored?.size, lifetime: stored?.freshness.lifetime, isHit: false, at: now)
  }

  private func record(_ key: CacheKey, size: Int?, lifetime: Duration?, isHit: Bool, at now: CacheInstant) {
    state.withLock { state in
      guard state.entries.count < maximumCount else {
        state.omittedCount += 1
        return
      }
      let start = state.start ?? now
      state.start = start
      state.entries.append(
        CacheRecording.Entry(
          key: key.digest, time: start.elapsed(to: now) ?? state.entries.last?.time ?? .zero, size: size,
          lifetime: lifetime, isHit: isHit))
    }
  }
}
