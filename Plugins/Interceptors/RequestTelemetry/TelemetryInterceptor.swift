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
  let calls = Mutex(CallTable())
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
    urls = SpanURL(shownQueryNames: names)
    self.baggageScope = baggageScope
    self.time = time
  }

  /// Whether anything is reported.
  var isOn: Bool { series != nil || tracer != nil || instrument != nil }

  /// Sends the request with the span's context, and reports how it ended.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard isOn else { return try await next.dispatch(request) }
    let sent = begin(request)
    do throws(NetworkError) {
      return try reported(try await next.dispatch(contextualized(sent)), sent)
    } catch {
      end(sent, .failed(error), transport: nil)
      throw error
    }
  }

  private func begin(_ request: Request) -> SentRequest {
    let call = calls.withLock { $0.noteSend(of: request.id) }
    let method = MethodLabel(request.head.method)
    let api = request.api
    // Only metrics need no context.
    let parent =
      tracer == nil && instrument == nil
      ? ServiceContext.topLevel : call?.span?.context ?? .current ?? .topLevel
    let span = tracer?.startAnySpan(SpanName.request(method, api), context: parent, ofKind: .client)
    series?.noteStart()
    // Without a pipeline there is no call, and the number of the attempt is all that is known.
    return SentRequest(
      request: request, method: method, api: api, startedAt: time.now(), span: span, callSpan: call?.span,
      context: span?.context ?? parent, resendCount: call?.earlierSends ?? request.attempt - 1)
  }

  /// Returns the request with the fields that the instrument writes.
  private func contextualized(_ sent: SentRequest) -> Request {
    guard let instrument else { return sent.request }
    // The fields are collected first, because changing a request copies it.
    var carrier = FieldInjector.Carrier(acceptsBaggage: sendsBaggage(with: sent.request))
    instrument.inject(sent.context, into: &carrier, using: FieldInjector())
    var request = sent.request
    for field in carrier.fields { request.head.headerFields[field.name] = field.value }
    return request
  }

  private func sendsBaggage(with request: Request) -> Bool {
    guard let baggageScope else { return false }
    // Another server has chosen the URL.
    return !request.context.hasLeftOrigin && baggageScope.contains(request)
  }

  private func reported(_ response: Response, _ sent: SentRequest) throws(NetworkError) -> Response {
    let status = response.status
    guard case .stream(let stream) = response.body else {
      end(sent, .answered(status), transport: response.exchange.transport)
      return response
    }
    let (ending, transport) = (stream.ending, response.exchange.transport)
    let source = EndedByteSource(try stream.claim()) { [self] failure in
      end(sent, failure.map { .failed($0) } ?? .answered(status), transport: ending.transport ?? transport)
    }
    var response = response
    response.body = .stream(BodyStream(length: stream.length, ending: ending, source))
    return response
  }

  private func end(_ sent: SentRequest, _ outcome: RequestOutcome, transport: TransportReport?) {
    if let series {
      series.noteEnd()
      series.recordRequest(sent.api, sent.method, outcome, after: time.now() - sent.startedAt)
      if let transport { series.record(transport, of: sent.api) }
    }
    if let span = sent.span {
      if span.isRecording { describe(span, of: sent, outcome, transport) }
      span.end()
    }
    if let span = sent.callSpan, span.isRecording {
      var attributes = AttributeList(capacity: 3)
      attributes["http.request.resend_count"] = .int64(Int64(sent.resendCount))
      attributes.add(outcome)
      span.addEvent(SpanEvent(name: "request", attributes: attributes.attributes))
    }
  }

  /// Sets the attributes of a client span all at once, which copies them only once.
  private func describe(
    _ span: any Span, of sent: SentRequest, _ outcome: RequestOutcome, _ transport: TransportReport?
  ) {
    let head = sent.request.head
    var attributes = AttributeList(capacity: 12)
    attributes.add(head, sent.method, url: urls.full(of: head), resendCount: sent.resendCount)
    attributes.add(outcome)
    if let transport { attributes.add(transport) }
    span.attributes = attributes.attributes
    if let status = outcome.spanStatus { span.setStatus(status) }
  }
}

/// Collects the header fields that an instrument writes, such as `traceparent`.
struct FieldInjector: Injector {
  /// The fields that were written.
  struct Carrier: Sendable {
    let acceptsBaggage: Bool
    var fields: [HTTPField] = []
  }

  /// Adds a field, unless its name or value isn't legal, or it is baggage (W3C Baggage) that isn't accepted.
  func inject(_ value: String, forKey key: String, into carrier: inout Carrier) {
    guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else { return }
    guard carrier.acceptsBaggage || name.canonicalName != "baggage" else { return }
    carrier.fields.append(HTTPField(name: name, value: value))
  }
}
