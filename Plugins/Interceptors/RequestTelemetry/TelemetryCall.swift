import Interception
import Metrics
import Synchronization
import Tracing

/// A call that an interceptor observes, until its caller receives a response or an error.
final class TelemetryCall: CallEndRecorder {
  let telemetry: TelemetryInterceptor
  let destination: Destination
  let startedAt: Duration
  let span: (any Span)?
  /// The number of requests sent, including those of redirects and of renewed credentials.
  private let sends = Atomic(0)
  private let hasEnded = Atomic(false)
  /// The last answer to one of its requests, and the timer of calls that end with it, if it is known.
  private let lastAnswer = Mutex<(answer: Answer, callTimer: Timer?)?>(nil)

  init(
    of telemetry: TelemetryInterceptor, to destination: Destination, startedAt: Duration, span: (any Span)?
  ) {
    self.telemetry = telemetry
    self.destination = destination
    self.startedAt = startedAt
    self.span = span
  }

  /// Counts a request that is sent, and returns the number of those before it; nil if the call has ended, as
  /// with a revalidation in the background.
  func noteSend() -> Int? {
    hasEnded.load(ordering: .acquiring) ? nil : sends.add(1, ordering: .relaxed).oldValue
  }

  /// Records that a request was answered, and adds an event to the span.
  func note(_ answer: Answer, callTimer: Timer?, resendCount: Int) {
    lastAnswer.withLock { $0 = (answer, callTimer) }
    addEvent(.answered(answer.status), resendCount: resendCount, with: resendCount == 0 ? answer.event : nil)
  }

  /// Adds an event to the span for a request that has ended.
  ///
  /// - Parameter known: Its attributes, if they need not be collected.
  func addEvent(_ outcome: RequestOutcome, resendCount: Int, with known: SpanAttributes? = nil) {
    guard let span, span.isRecording else { return }
    let attributes = known ?? AttributeList.event(outcome, resendCount: resendCount).attributes
    span.addEvent(SpanEvent(name: "request", attributes: attributes))
  }

  func record(_ event: CallEvent, at time: Duration) {
    switch event {
    case .delivered(let response, _): end(.answered(response.status), cache: response.cacheStatus)
    case .refused(let error): end(.failed(error), cache: nil)
    case .entered, .left, .sent, .received, .failed, .streamed, .transported: break
    }
  }

  private func end(_ outcome: RequestOutcome, cache: Exchange.CacheStatus?) {
    hasEnded.store(true, ordering: .releasing)
    let last = lastAnswer.withLock { $0 }
    let ending = last.flatMap { $0.answer.ends(with: outcome, at: destination) ? $0 : nil }
    if let series = telemetry.series {
      let source = ResponseSource(cache: cache, wasSent: sends.load(ordering: .relaxed) > 0)
      let known = source == .network ? ending?.callTimer : nil
      (known ?? destination.timer(ofCall: source, outcome, in: series)).record(
        telemetry.time.now() - startedAt)
    }
    guard let span else { return }
    if span.isRecording {
      if let cache, cache.isHit {
        span.addEvent(SpanEvent(name: "cache hit", attributes: ["cache.status": .string("\(cache)")]))
      }
      span.attributes = ending?.answer.call ?? AttributeList.call(of: destination.key.api, outcome).attributes
      if let status = outcome.spanStatus { span.setStatus(status) }
    }
    span.end()
  }
}

/// A request that was sent and has not ended.
struct SentRequest: Sendable {
  /// The request, without the context of its span.
  let request: Request
  let destination: Destination
  let startedAt: Duration
  let span: (any Span)?
  /// The call to which it belongs.
  let call: TelemetryCall?
  /// The context that is sent to the server.
  let context: ServiceContext
  /// The number of requests that the same call sent before.
  let resendCount: Int
}

/// A byte source that reports once that its stream has ended, and with which error.
final class EndedByteSource: ByteSource {
  private let source: any ByteSource
  private let notify: SingleUse<@Sendable (NetworkError?) -> Void>

  /// - Parameter notify: Receives nil if the stream was read completely or dropped by its reader.
  init(_ source: any ByteSource, whenEnded notify: @escaping @Sendable (NetworkError?) -> Void) {
    self.source = source
    self.notify = SingleUse(notify)
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    do throws(NetworkError) {
      guard let chunk = try await source.read() else {
        notify.take()?(nil)
        return nil
      }
      return chunk
    } catch {
      notify.take()?(error)
      throw error
    }
  }

  func cancel() {
    source.cancel()
    notify.take()?(nil)
  }
}
