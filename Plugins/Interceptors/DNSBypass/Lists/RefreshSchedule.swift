import Interception

/// Decides when a list is fetched; a pure value, with the times as parameters.
///
/// A list is fetched when an interval has passed since the last success, and at once when the network has
/// changed or no address of a host can be reached, but at least 30 s after the previous attempt. After a
/// failure the next attempt waits one minute, doubling up to an hour, less up to a quarter at random; a
/// change of the network ends that wait.
struct RefreshSchedule: Sendable {
  /// What to do next.
  enum Action: Hashable {
    /// Wait for an attempt to end.
    case none
    /// Fetch the list, and then call ``didSucceed(at:wall:)`` or ``didFail(at:random:)``.
    case fetch
    /// Ask again after a time.
    case wait(Duration)
  }

  static let gap = Duration.seconds(30)
  static let firstBackOff = Duration.seconds(60)
  static let maximumBackOff = Duration.seconds(3_600)

  private let interval: Duration
  private var lastSuccess: WallTime?
  private var isFetching = false
  private var isWanted = false
  private var failures = 0
  /// The earliest time of the next attempt.
  private var earliest: Duration?
  /// The time before which even a change of the network leads to no attempt.
  private var gapEnd: Duration?

  /// Creates a schedule.
  ///
  /// - Parameters:
  ///   - interval: The time between two successes, at least a minute.
  ///   - lastSuccess: When the stored list was fetched; nil without one.
  init(every interval: Duration, lastSuccess: WallTime?) {
    self.interval = max(interval, .seconds(60))
    self.lastSuccess = lastSuccess
  }

  /// Returns what to do; after ``Action/fetch``, an attempt is in progress.
  mutating func next(at now: Duration, wall: WallTime) -> Action {
    guard !isFetching else { return .none }
    let delay = max(isWanted ? .zero : untilDue(wall), (earliest ?? now) - now)
    guard delay <= .zero else {
      // The wall clock may be set meanwhile.
      return .wait(min(delay, .seconds(3_600)))
    }
    (isFetching, isWanted) = (true, false)
    return .fetch
  }

  /// Notes that no address of a host can be reached.
  mutating func noteExhaustion() { isWanted = true }

  /// Notes a change of the network.
  mutating func noteNetworkChange() {
    isWanted = true
    failures = 0
    earliest = gapEnd
  }

  /// Ends an attempt that has brought a list.
  mutating func didSucceed(at now: Duration, wall: WallTime) {
    isFetching = false
    failures = 0
    lastSuccess = wall
    (earliest, gapEnd) = (now + Self.gap, now + Self.gap)
  }

  /// Ends an attempt that has failed.
  ///
  /// - Parameter random: A random number from 0 to 1.
  mutating func didFail(at now: Duration, random: Double) {
    isFetching = false
    failures += 1
    gapEnd = now + Self.gap
    let backOff = min(Self.firstBackOff * (1 << min(failures - 1, 6)), Self.maximumBackOff)
    earliest = now + backOff * (1 - 0.25 * random)
  }

  private func untilDue(_ wall: WallTime) -> Duration {
    // A success in the future means that the clock was set back.
    guard let lastSuccess, lastSuccess <= wall else { return .zero }
    return max(.zero, interval - lastSuccess.duration(to: wall))
  }
}
