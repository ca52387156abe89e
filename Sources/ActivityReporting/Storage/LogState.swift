#if SQLite
import Interception
import Synchronization

/// The plan in memory, which is the one in the file, and what a log knows only while it runs.
final class LogState: Sendable {
  private struct State {
    var plan: UploadPlan
    var gatheringSince: Duration
    var drained: Int64
  }

  private let state: Mutex<State>
  let time: TimeSource

  init(_ plan: UploadPlan, time: TimeSource) {
    self.time = time
    // What an earlier process has left doesn't wait for more.
    state = Mutex(State(plan: plan, gatheringSince: time.now(), drained: plan.lastSequence))
  }

  var plan: UploadPlan { state.withLock { $0.plan } }

  /// Replaces the plan after its transaction.
  func commit(_ plan: UploadPlan) {
    let now = time.now()
    state.withLock { state in
      if state.plan.waiting.count == 0 || state.plan.head != plan.head { state.gatheringSince = now }
      state.plan = plan
    }
  }

  /// Lets everything that has been recorded so far wait no longer, and returns its last number.
  func drain() -> Int64 {
    state.withLock { state in
      state.drained = state.plan.lastSequence
      return state.drained
    }
  }

  func step(_ upload: ActivityUpload) -> UploadPlan.Step {
    let (elapsed, now) = (time.now(), time.wallTime())
    return state.withLock { state in
      state.plan.step(
        upload, now: now, gathered: elapsed - state.gatheringSince, drained: state.drained)
    }
  }
}
#endif
