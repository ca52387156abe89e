import HTTPTypes
public import Interception
public import Logging

/// Logs every attempt that reaches the network, and calls that don't: cached responses and refused requests.
///
/// The notices of its `Pipeline` are logged once, as `notice`, when the pipeline is created. Each attempt
/// writes two lines, one before and one after; see ``LogLevels``. All data is in the metadata,
/// under dotted keys such as `request.id`; the message is one of a few constants. A streamed response is
/// logged once it has ended. In a `Pipeline` the interceptor is also an observer: a cached response is
/// logged with `cache.hit`, and an error from an outer interceptor with `error.origin`.
///
/// The destination is up to the logger: pass one with your handler, and put values that apply to every line,
/// such as the environment, into its metadata. ``Redaction`` determines what is shown.
///
/// If the logger's level is above ``LogLevels``, logging is off and costs one comparison. To remove it from a
/// release build, don't register the interceptor (`#if DEBUG` works within `PipelineBuilder`), set the
/// logger's level to `info`, or compile the calls out with a trait of swift-log such as `MaxLogLevelInfo`.
public final class LoggingInterceptor: Interceptor {
  /// At stage `Stage.logging`; has no requirements.
  public let traits = InterceptorTraits(stage: .logging)
  let logger: Logger
  let levels: LogLevels
  private let highestLevel: Logger.Level
  let time: TimeSource
  private let format: LineFormat

  /// Creates an interceptor.
  ///
  /// - Parameters:
  ///   - logger: The destination of the lines.
  ///   - levels: The log level for each kind of line; `debug` and below.
  ///   - redaction: What may be shown.
  ///   - details: The optional parts of a line; headers and transport by default.
  ///   - bodies: How much of the bodies is logged; nothing by default.
  ///   - time: The clock that measures durations.
  public init(
    logger: Logger, levels: LogLevels = LogLevels(), redaction: Redaction = Redaction(),
    details: LogDetails = [.headers, .transport], bodies: BodySampling = .none, time: TimeSource = .system
  ) {
    self.logger = logger
    self.levels = levels
    highestLevel = levels.highest
    format = LineFormat(redaction: redaction, details: details, bodies: bodies)
    self.time = time
  }

  /// Whether any line would be logged.
  var isOn: Bool { logger.logLevel <= highestLevel }

  /// Sends the request, with a log line before and after.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard isOn else { return try await next.dispatch(request) }
    let tracker = tracker(in: next)
    tracker?.noteAttempt(of: request)
    let record = ExchangeRecord(request, format: format, logsStart: logger.logLevel <= levels.start)
    let start = time.now()
    logger.log(level: levels.start, "request started", metadata: record.started())
    do throws(NetworkError) {
      return try logged(try await next.dispatch(request), record, since: start)
    } catch {
      log(error, nil, bytes: 0, record, since: start)
      tracker?.noteFailure(error)
      throw error
    }
  }

  private func logged(
    _ response: Response, _ record: ExchangeRecord, since start: Duration
  ) throws(NetworkError) -> Response {
    let sample = format.bodies.sample(of: response.head, to: record.request)
    switch response.body {
    case .bytes(let bytes):
      let duration = time.now() - start
      logger.log(
        level: levels.end, "request finished",
        metadata: record.finished(
          response.head, exchange: response.exchange, bytes: Int64(bytes.count), isStream: false,
          sample: sample.bytes(of: bytes), after: duration))
      return response
    case .stream(let stream):
      let (head, exchange) = (response.head, response.exchange)
      return try response.sampling(stream, upTo: sample.keptBytes) { [self] ending, seen, transport in
        var (exchange, seen) = (exchange, seen)
        exchange.transport = transport
        seen.sample = sample.bytes(of: seen.sample)
        log(ending, seen, head, exchange, record, since: start)
      }
    }
  }

  private func log(
    _ ending: SampledByteSource.Ending, _ seen: SampledByteSource.Seen, _ head: HTTPResponse,
    _ exchange: Exchange, _ record: ExchangeRecord, since start: Duration
  ) {
    let message: Logger.Message
    switch ending {
    case .failed(let error): return log(error, head, bytes: seen.count, record, since: start)
    case .complete: message = "request finished"
    case .dropped: message = "response dropped"
    }
    let duration = time.now() - start
    logger.log(
      level: levels.end, message,
      metadata: record.finished(
        head, exchange: exchange, bytes: seen.count, isStream: true, sample: seen.sample, after: duration))
  }

  private func log(
    _ error: NetworkError, _ head: HTTPResponse?, bytes: Int64, _ record: ExchangeRecord,
    since start: Duration
  ) {
    let duration = time.now() - start
    logger.log(
      level: levels.level(of: error), error.lineMessage,
      metadata: record.failed(error, response: head, bytes: bytes, after: duration))
  }
}

extension LoggingInterceptor: PipelineObserver {
  /// Whether the logger's level allows any line.
  package var isObserving: Bool { isOn }

  /// Receives nothing: each call has a tracker of its own.
  public func observe(_ event: PipelineEvent) {}
}

extension LoggingInterceptor: CallObserver, CallLogging {
  package func recorder(
    of request: Request, at time: Duration, by clock: TimeSource
  ) -> (any CallRecorder)? {
    CallTracker(of: request, for: self)
  }

  func log(_ call: CallTracker.FinishedCall) {
    let metadata = call.metadata(format.redaction)
    switch call.reason {
    case .answeredFromCache:
      logger.log(level: levels.end, "answered from cache", metadata: metadata)
    case .answeredWithoutNetwork:
      logger.log(level: levels.end, "answered without the network", metadata: metadata)
    case .forwardedByCache:
      logger.log(level: levels.start, "forwarded by the cache", metadata: metadata)
    case .notRetried:
      logger.log(level: levels.failure, "request not retried", metadata: metadata)
    case .failed(let error):
      logger.log(level: levels.level(of: error), error.lineMessage, metadata: metadata)
    }
  }

  func log(_ alteration: CallAlteration, of request: Request) {
    var line = LineMetadata()
    line.add(request.id, attempt: request.attempt)
    line.add(Request.Summary(request))
    line.add(alteration)
    logger.log(level: levels.end, "call altered", metadata: line.values)
  }
}

extension CallTracker.FinishedCall {
  /// The metadata of the log line.
  func metadata(_ redaction: Redaction) -> Logger.Metadata {
    var line = LineMetadata()
    line.add(called.id, attempt: attempt)
    line.add(summary)
    line.add(duration: duration)
    line.add(cache: cache)
    switch reason {
    case .answeredFromCache(let status), .answeredWithoutNetwork(let status), .forwardedByCache(let status):
      line.add(status: status)
    case .notRetried(let refusal, let status):
      if let status { line.add(status: status) }
      line.add(retryRefusal: refusal)
    case .failed(let error):
      line.add(error) { redaction.scrubbed($0, of: request) }
    }
    return line.values
  }
}

extension NetworkError {
  var isCancellation: Bool {
    if case .cancelled = kind { true } else { false }
  }

  /// The message of the log line for the error.
  var lineMessage: Logger.Message { isCancellation ? "request cancelled" : "request failed" }
}

extension LoggingInterceptor: NoticeReceiver {
  package func receive(_ notices: [String]) {
    for notice in notices {
      logger.notice("chain notice", metadata: ["notice": .string(LogText.escaped(notice, upTo: .max))])
    }
  }
}
