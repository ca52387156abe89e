import Synchronization

/// Reports one call to its observers and recorders: the steps with their own times, cache status, transport
/// report, messages and outcome.
final class Observation: Sendable {
  private struct State {
    var ledger = FrameLedger()
    var exchangeCount = 0
    /// The streams of the exchanges' responses, to recognize one that the caller receives.
    var streams: [SampledStream] = []
  }

  private struct SampledStream {
    weak var stream: BodyStream?
    let exchange: Int
  }

  private let id: RequestID
  private let observers: [any PipelineObserver]
  let recorders: [any CallRecorder]
  private let time: TimeSource
  /// Whether an observer wants the events of the steps.
  private let reportsSteps: Bool
  /// Whether a recorder wants the events of the steps.
  private let recordsSteps: Bool
  /// Whether a recorder wants the messages.
  private let recordsMessages: Bool
  private let state = Mutex(State())

  private init(
    id: RequestID, observers: [any PipelineObserver], reportsSteps: Bool, recorders: [any CallRecorder],
    time: TimeSource
  ) {
    self.id = id
    self.observers = observers
    self.recorders = recorders
    self.time = time
    self.reportsSteps = reportsSteps
    recordsSteps = recorders.contains { $0.recordsSteps }
    recordsMessages = recorders.contains { $0.recordsMessages }
  }

  /// Whether an observer or a recorder wants the events of the steps.
  var includesSteps: Bool { reportsSteps || recordsSteps }

  /// Starts observing a call, or returns nil if no observer is active; each observer is queried once.
  @inline(never)
  static func begin(
    _ request: Request, by observers: [ScopedObserver], time: TimeSource
  ) -> Observation? {
    var observing: [any PipelineObserver] = []
    var reportsSteps = false
    var recorders: [any CallRecorder] = []
    var start: Duration?
    for observer in observers where observer.isObserving(request) {
      guard let callObserver = observer.callObserver else {
        observing.append(observer.observer)
        reportsSteps = reportsSteps || observer.observesSteps
        continue
      }
      let now = start ?? time.now()
      start = now
      if let recorder = callObserver.recorder(of: request, at: now, by: time) {
        // In one allocation, however many there will be.
        if recorders.isEmpty { recorders.reserveCapacity(observers.count) }
        recorders.append(recorder)
      }
    }
    guard !observing.isEmpty || !recorders.isEmpty else { return nil }
    let observation = Observation(
      id: request.id, observers: observing, reportsSteps: reportsSteps, recorders: recorders, time: time)
    if !observing.isEmpty {
      observation.emit(.started(Request.Summary(request)), attempt: request.attempt)
    }
    return observation
  }

  /// The observation, if messages are recorded.
  var recording: Observation? { recordsMessages ? self : nil }

  /// Reports the start of a step, and returns its frame.
  func enter(_ step: PipelineEvent.Step, parent: Int?, attempt: Int) -> Int {
    let now = time.now()
    let frame = state.withLock { $0.ledger.enter(step, parent: parent, at: now) }
    if reportsSteps { emit(.entered(step), attempt: attempt) }
    if recordsMessages {
      record(.entered(step, frame: frame, parent: parent, attempt: attempt), at: now)
    }
    return frame
  }

  /// Reports the end of a step.
  func leave(_ frame: Int, with result: Result<Response, NetworkError>, attempt: Int) {
    let now = time.now()
    var cache: Exchange.CacheStatus?
    if case .success(let response) = result { cache = response.cacheStatus }
    let (step, times, isNews) = state.withLock { state in
      let times = state.ledger.leave(frame, at: now)
      return (state.ledger.step(of: frame), times, state.ledger.isNews(cache))
    }
    if reportsSteps {
      if case .dispatcher = step, case .success(let response) = result {
        reportTransport(of: response, attempt: attempt)
      }
      if isNews, let cache { emit(.cache(cache), attempt: attempt) }
      emit(
        .left(step, own: times.own, total: times.total, PipelineEvent.Outcome(result)), attempt: attempt)
    }
    if recordsMessages {
      record(.left(frame: frame, own: times.own, total: times.total, .init(result)), at: now)
    }
  }

  /// Reports the end of the call, and returns the response that the caller receives.
  func finish(with response: Response, attempt: Int) -> Response {
    if !observers.isEmpty {
      let outcome = PipelineEvent.Outcome(.success(response))
      // Otherwise the step that set the status has reported it.
      if !reportsSteps, case .answered(_, let exchange) = outcome, let cache = exchange.cache {
        emit(.cache(cache), attempt: attempt)
      }
      emit(.finished(outcome), attempt: attempt)
    }
    guard !recorders.isEmpty else { return response }
    guard case .stream(let stream) = response.body else {
      recordEnd(.delivered(response, stream: nil))
      return response
    }
    let exchange = state.withLock { $0.streams.first { $0.stream === stream }?.exchange }
    recordEnd(.delivered(response, stream: exchange))
    return exchange == nil && recordsMessages ? sampled(response, stream, of: nil) : response
  }

  /// Reports the failure of the call.
  func finish(with error: NetworkError) {
    if !observers.isEmpty { emit(.finished(.failed(error)), attempt: error.attempt) }
    if !recorders.isEmpty { recordEnd(.refused(error)) }
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

  private func record(_ event: CallEvent, at now: Duration) {
    for recorder in recorders where recorder.recordsMessages { recorder.record(event, at: now) }
  }

  /// Reports the end of the call to all recorders.
  private func recordEnd(_ event: CallEvent) {
    let now = time.now()
    for recorder in recorders { recorder.record(event, at: now) }
  }
}

extension Observation {
  /// Records the request that the dispatcher receives, and returns the number of the exchange.
  func sent(_ request: Request) -> Int {
    let exchange = state.withLock { state in
      defer { state.exchangeCount += 1 }
      return state.exchangeCount
    }
    record(.sent(request, exchange: exchange), at: time.now())
    return exchange
  }

  /// Records the dispatcher's response, and returns it with a stream that is sampled.
  func received(_ response: Response, in exchange: Int) -> Response {
    record(.received(response, exchange: exchange), at: time.now())
    guard case .stream(let stream) = response.body else { return response }
    stream.ending.whenFinished { [self] report in
      if let report { record(.transported(report, exchange: exchange), at: time.now()) }
    }
    return sampled(response, stream, of: exchange)
  }

  /// Records the dispatcher's error.
  func failed(_ error: NetworkError, in exchange: Int) {
    record(.failed(error, exchange: exchange), at: time.now())
  }

  private func sampled(_ response: Response, _ stream: BodyStream, of exchange: Int?) -> Response {
    // A stream that has a reader is none of the caller's.
    guard let source = try? stream.claim() else { return response }
    let limit = recorders.reduce(0) { max($0, $1.sampleLimit) }
    let sampledSource = SampledByteSource(source, samplingUpTo: limit) { [self] ending, seen in
      let sample = CallEvent.StreamSample(count: seen.count, bytes: seen.sample, ending: ending)
      record(.streamed(sample, exchange: exchange), at: time.now())
    }
    let sampledStream = BodyStream(length: stream.length, ending: stream.ending, sampledSource)
    if let exchange {
      state.withLock { $0.streams.append(SampledStream(stream: sampledStream, exchange: exchange)) }
    }
    var response = response
    response.body = .stream(sampledStream)
    return response
  }
}

extension CallEvent.StepEnd {
  fileprivate init(_ result: Result<Response, NetworkError>) {
    switch result {
    case .success(let response): self = .answered(response.status, response.cacheStatus)
    case .failure(let error): self = .failed(error)
    }
  }
}

/// Records the steps of one call, as frames that are numbered from 0, and computes each step's own time: its
/// total time minus that of its children.
///
/// Children that run concurrently are counted once: their time is that during which at least one of them ran.
struct FrameLedger {
  private struct Frame {
    let step: PipelineEvent.Step
    let parent: Int?
    let start: Duration
    var childrenRunning = 0
    var childStart = Duration.zero
    var childTime = Duration.zero
  }

  private var frames: [Frame] = []
  private var cacheWasReported = false

  mutating func enter(_ step: PipelineEvent.Step, parent: Int?, at now: Duration) -> Int {
    if let parent {
      if frames[parent].childrenRunning == 0 { frames[parent].childStart = now }
      frames[parent].childrenRunning += 1
    }
    frames.append(Frame(step: step, parent: parent, start: now))
    return frames.count - 1
  }

  mutating func leave(_ frame: Int, at now: Duration) -> (own: Duration, total: Duration) {
    if let parent = frames[frame].parent {
      frames[parent].childrenRunning -= 1
      if frames[parent].childrenRunning == 0 { frames[parent].childTime += now - frames[parent].childStart }
    }
    var childTime = frames[frame].childTime
    // A child still running, because its parent did not wait for it, is counted until now.
    if frames[frame].childrenRunning > 0 { childTime += now - frames[frame].childStart }
    let total = now - frames[frame].start
    return (max(.zero, total - childTime), total)
  }

  func step(of frame: Int) -> PipelineEvent.Step { frames[frame].step }

  /// Returns whether this is the first cache status reported in this call.
  mutating func isNews(_ status: Exchange.CacheStatus?) -> Bool {
    guard status != nil, !cacheWasReported else { return false }
    cacheWasReported = true
    return true
  }
}
