import Synchronization

/// One passage of a request through a pipeline: what was entered and left, and whether the server may have acted.
///
/// It is the one heap object of a call; nothing is stamped where nobody observes.
final class Call: Sendable {
  let pipeline: Pipeline
  private let id: RequestID
  private let observers: [any PipelineObserver]
  private let processed = Atomic(false)
  private let ledger = Mutex(FrameLedger())

  init(pipeline: Pipeline, request: Request) {
    self.pipeline = pipeline
    id = request.id
    observers = Self.observing(pipeline.observers)
    if isObserved { emit(.started(RequestSummary(request)), attempt: request.attempt) }
  }

  /// Whether anybody wants to be told of the call; the observers were asked when it began.
  var isObserved: Bool { !observers.isEmpty }

  var wasProcessed: Bool { processed.load(ordering: .relaxed) }

  func noteProcessed() { processed.store(true, ordering: .relaxed) }

  /// Notes that a step begins, and returns its frame; nil where nobody observes.
  func enter(_ step: @autoclosure () -> PipelineEvent.Step, parent: Int?, attempt: Int) -> Int? {
    guard isObserved else { return nil }
    let step = step()
    let now = pipeline.time.now()
    let frame = ledger.withLock { $0.enter(step, parent: parent, at: now) }
    emit(.entered(step), attempt: attempt)
    return frame
  }

  /// Notes that a step ends.
  func leave(_ frame: Int?, with result: @autoclosure () -> Result<Response, NetworkError>, attempt: Int) {
    guard let frame else { return }
    let result = result()
    let now = pipeline.time.now()
    let exchange = try? result.get().exchange
    let (step, times, isNews) = ledger.withLock { ledger in
      let times = ledger.leave(frame, at: now)
      return (ledger.step(of: frame), times, ledger.isNews(exchange?.cache))
    }
    if case .dispatcher = step, case .success(let response) = result {
      reportTransport(of: response, attempt: attempt)
    }
    if isNews, let status = exchange?.cache { emit(.cache(status), attempt: attempt) }
    emit(.left(step, own: times.own, total: times.total, PipelineEvent.Outcome(result)), attempt: attempt)
  }

  /// Notes that the caller has its answer.
  func finished(_ result: @autoclosure () -> Result<Response, NetworkError>, attempt: Int) {
    guard isObserved else { return }
    emit(.finished(PipelineEvent.Outcome(result())), attempt: attempt)
  }

  private func reportTransport(of response: Response, attempt: Int) {
    guard case .stream(let stream) = response.body else {
      if let report = response.exchange.transport { emit(.transport(report), attempt: attempt) }
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

  /// Those who want to be told now, each asked once; a list is made only where there is one.
  private static func observing(_ observers: [any PipelineObserver]) -> [any PipelineObserver] {
    var observing: [any PipelineObserver] = []
    for observer in observers where observer.isObserving { observing.append(observer) }
    return observing
  }
}
