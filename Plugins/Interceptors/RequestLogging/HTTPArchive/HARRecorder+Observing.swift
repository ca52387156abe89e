import HTTPTypes
public import Interception
import Synchronization

extension HARRecorder: PipelineObserver {
  /// False: the recorder itself knows which requests reach its stage.
  public var observesSteps: Bool { false }

  /// Tracks calls, and records those that sent nothing.
  public func observe(_ event: PipelineEvent) {
    switch event.kind {
    case .entered, .left, .transport: return
    case .started, .cache, .finished: break
    }
    let now = time.now()
    guard let call = tracker.withLock({ $0.record(event, at: now) }) else { return }
    let result: ArchivedResult
    switch call.reason {
    case .answeredFromCache(let status), .answeredWithoutNetwork(let status):
      result = .answered(HTTPResponse(status: status), bytes: 0, sample: [], nil)
    case .failed(let error): result = .failed(error)
    // Their attempts are entries already.
    case .forwardedByCache, .notRetried: return
    }
    add(
      ArchiveEntry(
        call.summary, event.request, attempt: event.attempt, result, cache: call.cache,
        startedAt: time.wallTime().advanced(by: .zero - call.duration), after: call.duration, format: format),
      partition: call.summary.partition)
  }
}
