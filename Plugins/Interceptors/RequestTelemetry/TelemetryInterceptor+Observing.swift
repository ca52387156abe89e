public import Interception
import Synchronization
import Tracing

extension TelemetryInterceptor: PipelineObserver {
  /// Whether a metrics factory or a tracer is configured.
  public var isObserving: Bool { series != nil || tracer != nil }

  /// False: the interceptor itself knows which requests reach its stage.
  public var observesSteps: Bool { false }

  /// Reports the start and the end of a call; ignores the events of its steps.
  public func observe(_ event: PipelineEvent) {
    switch event.kind {
    case .started(let summary): begin(event.request, summary)
    case .finished(let outcome): end(event.request, outcome)
    case .entered, .left, .cache, .transport: break
    }
  }

  private func begin(_ id: RequestID, _ summary: Request.Summary) {
    let span = tracer?.startAnySpan(SpanName.call(summary.api), ofKind: .internal)
    let call = CallTable.Call(api: summary.api, startedAt: time.now(), span: span)
    calls.withLock { $0.begin(call, id) }
  }

  private func end(_ id: RequestID, _ outcome: PipelineEvent.Outcome) {
    guard let call = calls.withLock({ $0.end(id) }) else { return }
    let (result, exchange): (RequestOutcome, Exchange?) =
      switch outcome {
      case .answered(let status, let exchange): (.answered(status), exchange)
      case .failed(let error): (.failed(error), nil)
      }
    let cache = exchange?.cache
    series?.recordCall(
      call.api, ResponseSource(cache: cache, wasSent: call.sends > 0), result,
      after: time.now() - call.startedAt)
    guard let span = call.span else { return }
    if span.isRecording {
      if let cache, cache.isHit {
        span.addEvent(SpanEvent(name: "cache hit", attributes: ["cache.status": .string("\(cache)")]))
      }
      var attributes = AttributeList(capacity: 4)
      if let api = call.api {
        attributes["peer.service"] = .string(api.service)
        attributes["switchyard.api"] = .string(api.name)
      }
      attributes.add(result)
      span.attributes = attributes.attributes
      if let status = result.spanStatus { span.setStatus(status) }
    }
    span.end()
  }
}
