import HTTPTypes
public import Interception
public import Metrics
import Synchronization
public import Tracing

/// Reports every request that is sent as metrics and a client span, by OpenTelemetry's HTTP conventions.
///
/// Use it where an app has a backend for metrics or traces. Don't use it instead of `LoggingInterceptor` or
/// `TraceRecorder` to look at single requests during development.
///
/// ```swift
/// MetricsSystem.bootstrap(metricsFactory)
/// InstrumentationSystem.bootstrap(tracer)
/// let pipeline = try Pipeline(over: dispatcher) {
///   RetryInterceptor()
///   CachingInterceptor()
///   TelemetryInterceptor()
/// }
/// ```
///
/// It stands at stage `logging` (800), after everything that may answer, retry or change a request, so that
/// each request is counted and timed as it is sent. In a `Pipeline` it is also an observer of whole calls,
/// because a cached response never reaches its stage: a call has a span of its own, with an event for each
/// request that was sent and for a cache hit, and is the parent of the client spans. The span's context is
/// sent with the request, as `traceparent` or whatever the instrument writes, except `baggage`: its values
/// may identify the user, so it is sent only where `sendingBaggageTo` permits it, and to no server after a
/// redirect to another origin.
///
/// If neither a metrics factory nor an instrument is configured, requests pass it unchanged, and no clock is
/// read. Names of parameters, APIs and hosts are reported; header fields, bodies, user names and the values
/// of a query are not.
public final class TelemetryInterceptor: Interceptor {
  /// At stage `Stage.logging`; has no requirements.
  public let traits = InterceptorTraits(stage: .logging)
  let time: TimeSource
  /// The tracer; nil if it doesn't record spans.
  let tracer: (any Tracer)?
  /// The instrument that writes the context into a request; nil if it writes nothing.
  let instrument: (any Instrument)?
  /// The metrics; nil if the factory discards them.
  let series: MetricSeries?
  /// Whether there are spans, or a context is written into requests.
  private let hasContext: Bool
  /// Whether anything is reported.
  private let isOn: Bool
  private let destinations = Mutex(DestinationTable())
  private let urls: SpanURL
  /// The requests with which baggage is sent; nil for none.
  private let baggageScope: Request.Scope?

  /// Creates an interceptor that reports to the metrics factory and the instrument of the process.
  ///
  /// They are read once, here: call `MetricsSystem.bootstrap` and `InstrumentationSystem.bootstrap` before.
  ///
  /// - Parameters:
  ///   - names: The names of the query parameters whose values are part of `url.full`; none by default. Names
  ///     are compared without percent-decoding.
  ///   - scope: The requests with which the instrument's `baggage` is sent, such as `.authority` of an own
  ///     server; none by default.
  ///   - time: The clock that measures durations; spans use the wall clock of their tracer.
  public convenience init(
    showingQueryValuesOf names: Set<String> = [], sendingBaggageTo scope: Request.Scope? = nil,
    time: TimeSource = .system
  ) {
    self.init(
      metrics: MetricsSystem.factory, tracer: InstrumentationSystem.tracer,
      instrument: InstrumentationSystem.instrument, showing: names, baggageScope: scope, time: time)
  }

  /// Creates an interceptor that reports to a metrics factory and a tracer of its own.
  ///
  /// - Parameters:
  ///   - metrics: The metrics factory.
  ///   - tracer: The tracer, which also writes the context into requests.
  ///   - names: The names of the query parameters whose values are part of `url.full`; none by default. Names
  ///     are compared without percent-decoding.
  ///   - scope: The requests with which the instrument's `baggage` is sent, such as `.authority` of an own
  ///     server; none by default.
  ///   - time: The clock that measures durations; spans use the wall clock of their tracer.
  public convenience init(
    metrics: any MetricsFactory, tracer: any Tracer, showingQueryValuesOf names: Set<String> = [],
    sendingBaggageTo scope: Request.Scope? = nil, time: TimeSource = .system
  ) {
    self.init(
      metrics: metrics, tracer: tracer, instrument: tracer, showing: names, baggageScope: scope, time: time)
  }

  private init(
    metrics: any MetricsFactory, tracer: any Tracer, instrument: any Instrument, showing names: Set<String>,
    baggageScope: Request.Scope?, time: TimeSource
  ) {
    series = metrics is NOOPMetricsHandler ? nil : MetricSeries(metrics)
    self.tracer = tracer is NoOpTracer ? nil : tracer
    self.instrument = instrument is NoOpTracer || instrument is NoOpInstrument ? nil : instrument
    hasContext = self.tracer != nil || self.instrument != nil
    isOn = hasContext || series != nil
    urls = SpanURL(shownQueryNames: names)
    self.baggageScope = baggageScope
    self.time = time
  }

  /// Sends the request with the span's context, and reports how it ended.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard isOn else { return try await next.dispatch(request) }
    let sent = begin(request, in: call(of: next))
    do throws(NetworkError) {
      return try reported(try await next.dispatch(contextualized(sent)), sent)
    } catch {
      end(sent, with: error)
      throw error
    }
  }

  /// Returns what a request has in common with others.
  ///
  /// - Parameter probable: The destination that it probably has.
  func destination(of request: Request, probably probable: Destination? = nil) -> Destination {
    let (head, api) = (request.head, request.api)
    if let probable, probable.matches(head, api) { return probable }
    return destinations.withLock { $0.destination(of: head, api) }
  }

  /// Returns the call of which a chain is the remainder; nil outside of a pipeline that observes it.
  private func call(of next: some Dispatcher) -> TelemetryCall? {
    for recorder in next.callRecorders.reversed() {
      if let call = recorder as? TelemetryCall, call.telemetry === self { return call }
    }
    return nil
  }

  private func begin(_ request: Request, in call: TelemetryCall?) -> SentRequest {
    let destination = destination(of: request, probably: call?.destination)
    let earlierSends = call?.noteSend()
    let call = earlierSends == nil ? nil : call
    // Only metrics need no context.
    let parent = hasContext ? call?.span?.context ?? .current ?? .topLevel : ServiceContext.topLevel
    let span = tracer?.startAnySpan(destination.requestName, context: parent, ofKind: .client)
    series?.noteStart()
    // Without a pipeline there is no call, and the number of the attempt is all that is known.
    return SentRequest(
      request: request, destination: destination, startedAt: time.now(), span: span, call: call,
      context: span?.context ?? parent, resendCount: earlierSends ?? request.attempt - 1)
  }

  /// Returns the request with the fields that the instrument writes.
  private func contextualized(_ sent: SentRequest) -> Request {
    guard let instrument else { return sent.request }
    var carrier = FieldInjector.Carrier(
      request: sent.request, acceptsBaggage: sendsBaggage(with: sent.request))
    instrument.inject(sent.context, into: &carrier, using: FieldInjector())
    return carrier.request
  }

  private func sendsBaggage(with request: Request) -> Bool {
    guard let baggageScope else { return false }
    // Another server has chosen the URL.
    return !request.context.hasLeftOrigin && baggageScope.contains(request)
  }

  private func reported(_ response: Response, _ sent: SentRequest) throws(NetworkError) -> Response {
    let (status, transport) = (response.status, response.transport)
    guard case .stream(let stream) = response.body else {
      end(sent, with: status, transport)
      return response
    }
    let ending = stream.ending
    let source = EndedByteSource(try stream.claim()) { [self] failure in
      let transport = ending.transport ?? transport
      if let failure { end(sent, with: failure, transport) } else { end(sent, with: status, transport) }
    }
    var response = response
    response.body = .stream(BodyStream(length: stream.length, ending: ending, source))
    return response
  }

  /// Reports that a request was answered.
  private func end(_ sent: SentRequest, with status: HTTPResponse.Status, _ transport: TransportReport?) {
    let (answer, callTimer) = sent.destination.answer(status, transport, in: series)
    if let series {
      series.noteEnd()
      answer.measure(time.now() - sent.startedAt, transport)
    }
    endSpan(of: sent, answer.request, .answered(status))
    sent.call?.note(answer, callTimer: callTimer, resendCount: sent.resendCount)
  }

  /// Reports that a request failed, possibly after the head of its response.
  private func end(_ sent: SentRequest, with error: NetworkError, _ transport: TransportReport? = nil) {
    let (outcome, destination) = (RequestOutcome.failed(error), sent.destination)
    if let series {
      series.noteEnd()
      series.recordRequest(
        destination.key.api, destination.method, outcome, after: time.now() - sent.startedAt)
      if let transport { series.record(transport, of: destination.key.api) }
    }
    endSpan(of: sent, destination.attributes(of: outcome, transport), outcome)
    sent.call?.addEvent(outcome, resendCount: sent.resendCount)
  }

  /// Sets the attributes of a client span all at once, which copies them only once, and ends it.
  private func endSpan(
    of sent: SentRequest, _ known: @autoclosure () -> AttributeList, _ outcome: RequestOutcome
  ) {
    guard let span = sent.span else { return }
    if span.isRecording {
      var attributes = known()
      let url = urls.full(sent.request.head.path ?? "", after: sent.destination.origin)
      attributes.add(url: url, resendCount: sent.resendCount)
      span.attributes = attributes.attributes
      if let status = outcome.spanStatus { span.setStatus(status) }
    }
    span.end()
  }
}

extension TelemetryInterceptor: PipelineObserver {
  /// Whether a metrics factory or a tracer is configured.
  package var isObserving: Bool { series != nil || tracer != nil }

  /// Receives nothing: each call has a recorder of its own.
  public func observe(_ event: PipelineEvent) {}
}

extension TelemetryInterceptor: CallObserver {
  package func recorder(
    of request: Request, at time: Duration, by clock: TimeSource
  ) -> (any CallRecorder)? {
    let destination = destination(of: request)
    let span = tracer?.startAnySpan(destination.callName, ofKind: .internal)
    return TelemetryCall(of: self, to: destination, startedAt: self.time.now(), span: span)
  }
}

/// Adds the header fields that an instrument writes, such as `traceparent`.
struct FieldInjector: Injector {
  /// The request that gets the fields.
  struct Carrier: Sendable {
    var request: Request
    let acceptsBaggage: Bool
  }

  /// Sets a field, unless its name or value isn't legal, or it is baggage (W3C Baggage) that isn't accepted.
  func inject(_ value: String, forKey key: String, into carrier: inout Carrier) {
    guard let name = HTTPField.Name(key) else { return }
    let field = HTTPField(name: name, value: value)
    // The initializer has changed a value that isn't legal, so none is checked twice.
    guard field.value == value, carrier.acceptsBaggage || name.canonicalName != "baggage" else { return }
    carrier.request.head.headerFields[fields: name] = [field]
  }
}
