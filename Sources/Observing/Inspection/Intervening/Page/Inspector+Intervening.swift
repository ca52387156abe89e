import Synchronization

extension Inspector {
  /// Lets the page show the rules of an interceptor, turn them on and off, and edit the calls that they
  /// pause.
  ///
  /// The page says that calls are altered for as long as a rule is on. A call is paused only while the page
  /// is served, and continues unaltered unless the user continues it within the interceptor's limit. Rules
  /// that are added on the page, such as those that answer as a recorded call was answered, last until the
  /// app ends.
  ///
  /// - Parameter interceptor: The interceptor, which isn't retained. Calls that it pauses are edited on the
  ///   page, unless it was created with an editor of its own.
  public func showsInterventions(of interceptor: InterventionInterceptor) {
    intervening.show(interceptor)
  }
}

/// The interceptor whose rules the page shows, and the calls that it has paused.
final class Intervening: Sendable {
  private struct State {
    /// Weak, because the pipeline that retains it may retain the inspector.
    weak var interceptor: InterventionInterceptor?
  }

  private let state = Mutex(State())
  private let changes: ChangeCount<CallRing<RecordedCall>>
  let calls: PausedCalls

  init(changes: ChangeCount<CallRing<RecordedCall>>, calls: PausedCalls) {
    (self.changes, self.calls) = (changes, calls)
  }

  /// The interceptor; nil if none is shown.
  var interceptor: InterventionInterceptor? { state.withLock { $0.interceptor } }

  func show(_ interceptor: InterventionInterceptor) {
    state.withLock { $0.interceptor = interceptor }
    let changes = changes
    interceptor.attach(calls) { changes.note() }
    changes.note()
  }
}
