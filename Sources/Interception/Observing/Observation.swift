import Synchronization

/// Reports one call to its observers: the steps with their own times, cache status, transport report and
/// outcome.
final class Observation: Sendable {
  private let id: RequestID
  private let observers: [any PipelineObserver]
  private let time: TimeSource
  /// Whether an observer wants the events of the steps.
  let includesSteps: Bool
  private let ledger = Mutex(FrameLedger())

  private init(id: RequestID, observers: [any PipelineObserver], time: TimeSource) {
    self.id = id
    self.observers = observers
    self.time = time
    includesSteps = observers.contains { $0.observesSteps }
  }

  /// Starts observing a call, or returns nil if no observer is active; each observer is queried once.
  @inline(never)
  static func begin(
    _ request: Request, by observers: [ScopedObserver], time: TimeSource
  ) -> Observation? {
    let observing = observers.compactMap { $0.isObserving(request) ? $0.observer : nil }
    guard !observing.isEmpty else { return nil }
    let observation = Observation(id: request.id, observers: observing, time: time)
    observation.emit(.started(Request.Summary(request)), attempt: request.attempt)
    return observation
  }

  /// Reports the start of a step, and returns its frame.
  func enter(_ step: PipelineEvent.Step, parent: FrameLedger.FrameID?, attempt: Int) -> FrameLedger.FrameID {
    let now = time.now()
    let frame = ledger.withLock { $0.enter(step, parent: parent, at: now) }
    emit(.entered(step), attempt: attempt)
    return frame
  }

  /// Reports the end of a step.
  func leave(_ frame: FrameLedger.FrameID, with result: Result<Response, NetworkError>, attempt: Int) {
    let now = time.now()
    let outcome = PipelineEvent.Outcome(result)
    var cache: Exchange.CacheStatus?
    if case .answered(_, let exchange) = outcome { cache = exchange.cache }
    let (step, times, isNews) = ledger.withLock { ledger in
      let times = ledger.leave(frame, at: now)
      return (ledger.step(of: frame), times, ledger.isNews(cache))
    }
    if case .dispatcher = step, case .success(let response) = result {
      reportTransport(of: response, attempt: attempt)
    }
    if isNews, let cache { emit(.cache(cache), attempt: attempt) }
    emit(.left(step, own: times.own, total: times.total, outcome), attempt: attempt)
  }

  /// Reports the end of the call.
  func finish(with result: Result<Response, NetworkError>, attempt: Int) {
    let outcome = PipelineEvent.Outcome(result)
    // Otherwise the step that set the status has reported it.
    if !includesSteps, case .answered(_, let exchange) = outcome, let cache = exchange.cache {
      emit(.cache(cache), attempt: attempt)
    }
    emit(.finished(outcome), attempt: attempt)
  }

  private func reportTransport(of response: Response, attempt: Int) {
    guard case .stream(let stream) = response.body else {
      if let report = response.transport { emit(.transport(report), attempt: attempt) }
      return
    }
    stream.ending.whenFinished { report in
      if let report { self.emit(.transport(report), attempt: attempt) }
    }
  }

  private func emit(_ kind: PipelineEvent.Kind, attempt: Int) {
    let event = PipelineEvent(request: id, attempt: attempt, kind: kind)
    for observer in observers { observer.observe(event) }
  }
}

/// Records the steps of one call and computes each step's own time: its total time minus that of its
/// children.
///
/// Children that run concurrently are counted once: their time is that during which at least one of them ran.
struct FrameLedger {
  /// The identity of a frame in its ledger.
  struct FrameID: Sendable {
    fileprivate let index: Int
  }

  private struct Frame {
    let step: PipelineEvent.Step
    let parent: FrameID?
    let start: Duration
    var childrenRunning = 0
    var childStart = Duration.zero
    var childTime = Duration.zero
  }

  private var frames: [Frame] = []
  private var cacheWasReported = false

  mutating func enter(_ step: PipelineEvent.Step, parent: FrameID?, at now: Duration) -> FrameID {
    if let parent = parent?.index {
      if frames[parent].childrenRunning == 0 { frames[parent].childStart = now }
      frames[parent].childrenRunning += 1
    }
    frames.append(Frame(step: step, parent: parent, start: now))
    return FrameID(index: frames.count - 1)
  }

  mutating func leave(_ id: FrameID, at now: Duration) -> (own: Duration, total: Duration) {
    let frame = id.index
    if let parent = frames[frame].parent?.index {
      frames[parent].childrenRunning -= 1
      if frames[parent].childrenRunning == 0 { frames[parent].childTime += now - frames[parent].childStart }
    }
    var childTime = frames[frame].childTime
    // A child still running, because its parent did not wait for it, is counted until now.
    if frames[frame].childrenRunning > 0 { childTime += now - frames[frame].childStart }
    let total = now - frames[frame].start
    return (max(.zero, total - childTime), total)
  }

  func step(of id: FrameID) -> PipelineEvent.Step { frames[id.index].step }

  /// Returns whether this is the first cache status reported in this call.
  mutating func isNews(_ status: Exchange.CacheStatus?) -> Bool {
    guard status != nil, !cacheWasReported else { return false }
    cacheWasReported = true
    return true
  }
}
