import HTTPTypes
public import Interception
public import Logging
import Synchronization

/// Writes what goes over the wire to a logger, and what never got that far too: cached answers, refused
/// requests.
///
/// Two lines an attempt, one before and one after, see ``LogLevels``. Everything is metadata, with dotted
/// keys such as `request.id`; the message is one of a few constants. An answer that streams is told of when
/// it has ended. Registered in a ``Pipeline`` it observes too: a cached answer is a line with `cache.hit`,
/// and an error that arose further out is a line with `error.origin`.
///
/// Where to write is the logger's matter: hand in one with your handler, and put what holds for all lines,
/// such as the environment, into its metadata. ``Redaction`` says what is shown.
///
/// Logging is off where the logger's level is above ``LogLevels``, and costs a comparison then. To remove it
/// from a release build, don't register the interceptor (`#if DEBUG` works within ``PipelineBuilder``), set
/// the logger's level to `info`, or compile the calls out with a trait of swift-log such as
/// `MaxLogLevelInfo`.
public final class LoggingInterceptor: Interceptor {
  /// Stage ``Stage/logging``; nothing is needed.
  public let traits = InterceptorTraits(stage: .logging)
  let logger: Logger
  let levels: LogLevels
  private let highestLevel: Logger.Level
  let time: TimeSource
  let ledger = Mutex(CallLedger())
  let isFollowing = Atomic(false)
  private let redaction: Redaction
  private let details: LogDetails
  private let bodies: BodySampling

  /// Makes an interceptor.
  ///
  /// - Parameters:
  ///   - logger: Where the lines go.
  ///   - levels: At which level each kind of line is written; `debug` and below.
  ///   - redaction: What may be shown.
  ///   - details: What a line says; fields and transport by default.
  ///   - bodies: How much of the bodies is shown; nothing by default.
  ///   - time: The clock of the durations.
  public init(
    logger: Logger, levels: LogLevels = LogLevels(), redaction: Redaction = Redaction(),
    details: LogDetails = [.headers, .transport], bodies: BodySampling = .none, time: TimeSource = .system
  ) {
    self.logger = logger
    self.levels = levels
    highestLevel = levels.highest
    self.redaction = redaction
    self.details = details
    self.bodies = bodies
    self.time = time
  }

  /// Whether any line would be written.
  var isOn: Bool { logger.logLevel <= highestLevel }

  /// Sends the request, and tells of it before and after.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard isOn else { return try await next.dispatch(request) }
    let record = ExchangeRecord(request: request, redaction: redaction, details: details, bodies: bodies)
    let start = time.now()
    logger.log(level: levels.start, "request started", metadata: record.started())
    do throws(NetworkError) {
      return try logged(try await next.dispatch(request), record, since: start)
    } catch {
      tell(of: error, nil, bytes: 0, record, since: start)
      throw error
    }
  }

  private func logged(
    _ response: Response, _ record: ExchangeRecord, since start: Duration
  ) throws(NetworkError) -> Response {
    let sampleLimit = bodies.answerBytes(of: response.head, to: record.request.id)
    switch response.body {
    case .bytes(let bytes):
      let duration = time.now() - start
      logger.log(
        level: levels.end, "request finished",
        metadata: record.finished(
          response.head, exchange: response.exchange, bytes: Int64(bytes.count), isStream: false,
          sample: Array(bytes.prefix(sampleLimit)), after: duration))
      return response
    case .stream(let stream):
      let (head, exchange, streamEnding) = (response.head, response.exchange, stream.ending)
      let source = LoggedByteSource(try stream.claim(), samplingUpTo: sampleLimit) { [self] ending, seen in
        var exchange = exchange
        exchange.transport = streamEnding.transport ?? exchange.transport
        tell(of: ending, seen, head, exchange, record, since: start)
      }
      var response = response
      response.body = .stream(BodyStream(length: stream.length, ending: streamEnding, source))
      return response
    }
  }

  private func tell(
    of ending: LoggedByteSource.Ending, _ seen: LoggedByteSource.Seen, _ head: HTTPResponse,
    _ exchange: Exchange, _ record: ExchangeRecord, since start: Duration
  ) {
    let message: Logger.Message
    switch ending {
    case .failed(let error): return tell(of: error, head, bytes: seen.count, record, since: start)
    case .complete: message = "request finished"
    case .dropped: message = "answer dropped"
    }
    let duration = time.now() - start
    logger.log(
      level: levels.end, message,
      metadata: record.finished(
        head, exchange: exchange, bytes: seen.count, isStream: true, sample: seen.sample, after: duration))
  }

  private func tell(
    of error: NetworkError, _ head: HTTPResponse?, bytes: Int64, _ record: ExchangeRecord,
    since start: Duration
  ) {
    let duration = time.now() - start
    logger.log(
      level: levels.level(of: error), error.lineMessage,
      metadata: record.failed(error, response: head, bytes: bytes, after: duration))
  }
}
