public import Interception
import Logging
import Synchronization

extension LoggingInterceptor: PipelineObserver {
  /// Whether the logger's level allows any line.
  public var isObserving: Bool { isOn }

  /// False: the interceptor itself knows which requests reach its stage.
  public var observesSteps: Bool { false }

  /// Tracks calls, and logs those that never reached the network.
  public func observe(_ event: PipelineEvent) {
    switch event.kind {
    case .entered, .left, .transport: return
    case .started, .cache, .finished: break
    }
    let now = time.now()
    guard let call = tracker.withLock({ $0.record(event, at: now) }) else { return }
    switch call.reason {
    case .answeredFromCache:
      logger.log(level: levels.end, "answered from cache", metadata: call.metadata(of: event))
    case .answeredWithoutNetwork:
      logger.log(level: levels.end, "answered without the network", metadata: call.metadata(of: event))
    case .forwardedByCache:
      logger.log(level: levels.start, "forwarded by the cache", metadata: call.metadata(of: event))
    case .notRetried:
      logger.log(level: levels.failure, "request not retried", metadata: call.metadata(of: event))
    case .failed(let error):
      logger.log(level: levels.level(of: error), error.lineMessage, metadata: call.metadata(of: event))
    }
  }
}

extension CallTracker.FinishedCall {
  /// The metadata of the log line.
  func metadata(of event: PipelineEvent) -> Logger.Metadata {
    var line = LineMetadata()
    line.add(event.request, attempt: event.attempt)
    line.add(summary)
    line.add(duration: duration)
    line.add(cache: cache)
    switch reason {
    case .answeredFromCache(let status), .answeredWithoutNetwork(let status), .forwardedByCache(let status):
      line.add(status: status)
    case .notRetried(let refusal, let status):
      if let status { line.add(status: status) }
      line.add(retryRefusal: refusal)
    case .failed(let error): line.add(error)
    }
    return line.values
  }
}
