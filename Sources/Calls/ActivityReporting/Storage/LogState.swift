#if SQLite
import DurableQueues
import Interception
import Synchronization

/// The plan in memory, which is the one in the file, and what a log knows only while it runs.
final class LogState: Sendable {
  private struct State {
    var plan: UploadPlan
    /// The account whose events are uploaded.
    var account: String
    var gatheringSince: Duration
    var drained: Int64
    /// Whether a flush wants an upload at once, whatever wait a failure has begun.
    var isUrged = false
    var isOnline = true
  }

  private let state: Mutex<State>
  let time: TimeSource
  private let opened: Duration
  private let openedSeconds: Int64

  init(_ plan: UploadPlan, account: String, maximumAge: Duration, time: TimeSource) {
    self.time = time
    opened = time.now()
    let now = time.wallTime().seconds
    openedSeconds = plan.clock?.resumed(at: now, maximumAge: maximumAge) ?? now
    // What an earlier process has left doesn't wait for more.
    state = Mutex(
      State(plan: plan, account: account, gatheringSince: time.now(), drained: plan.lastSequence))
  }

  var plan: UploadPlan { state.withLock { $0.plan } }

  /// The log's time.
  var clock: LogClock {
    LogClock(
      seconds: openedSeconds &+ (time.now() - opened).components.seconds, wall: time.wallTime().seconds)
  }

  /// Replaces the plan after its transaction.
  func commit(_ plan: UploadPlan) {
    let now = time.now()
    state.withLock { state in
      if plan.backOff.failures > state.plan.backOff.failures { state.isUrged = false }
      let (former, present) = (state.plan.of(state.account), plan.of(state.account))
      if former.waiting.count == 0 || former.head != present.head { state.gatheringSince = now }
      state.plan = plan
    }
  }

  /// Lets everything that has been recorded so far wait no longer, except for what the server has asked for,
  /// and returns its last number.
  func drain() -> Int64 {
    state.withLock { state in
      state.drained = state.plan.lastSequence
      state.isUrged = true
      return state.drained
    }
  }

  /// Records whether there is a network; when it returns, only what the server has asked for is waited for.
  func setNetwork(available isAvailable: Bool) {
    state.withLock { state in
      if isAvailable, !state.isOnline { state.isUrged = true }
      state.isOnline = isAvailable
    }
  }

  /// Returns the next step for the events of an account.
  ///
  /// What an account has left doesn't wait for more, and a wait for the failure of another one's upload ends,
  /// except what the server has asked for.
  func step(_ upload: ActivityUpload, for account: String) -> UploadPlan.Step {
    let (elapsed, now) = (time.now(), time.wallTime())
    return state.withLock { state in
      if state.account != account {
        (state.account, state.gatheringSince) = (account, elapsed)
        (state.drained, state.isUrged) = (state.plan.lastSequence, true)
      }
      var plan = state.plan.of(account)
      if state.isUrged { plan.backOff.endOwnWait() }
      return plan.step(
        upload, now: now, gathered: elapsed - state.gatheringSince, drained: state.drained,
        isOnline: state.isOnline)
    }
  }
}

/// The time by which events grow old, which a wrong wall clock can't move far.
///
/// It runs with the monotonic clock while the log is open. Of the time between two runs only the wall clock
/// knows, and it counts as at most half of the maximum age: no event that is younger than that is removed
/// because of a clock that was set forward.
struct LogClock: Sendable, Hashable {
  /// The log's time, in seconds; it begins with the wall clock's.
  var seconds: Int64
  /// The wall clock's time at the same moment, in seconds.
  var wall: Int64

  /// Returns the log's time at the start of another run.
  func resumed(at now: Int64, maximumAge: Duration) -> Int64 {
    let (gap, isTooLong) = now.subtractingReportingOverflow(wall)
    let limit = maximumAge.components.seconds / 2
    return seconds &+ (isTooLong ? 0 : min(max(gap, 0), limit))
  }
}
#endif
