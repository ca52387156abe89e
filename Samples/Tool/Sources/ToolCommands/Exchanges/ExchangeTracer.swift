import HTTPTypes
public import Interception
public import RequestLogging
import Synchronization

/// Records each request that a call sends, for a ``Waterfall``: attempts, redirects and raced addresses.
///
/// It stands last, so that it sees what the dispatcher sees. Its texts are redacted like the log.
public final class ExchangeTracer: Interceptor {
  /// After all other stages.
  public let traits = InterceptorTraits(stage: Stage(rank: 990, name: "trace"))
  private let redaction: Redaction
  private let time: TimeSource
  private let start: Duration
  private let state = Mutex([Entry]())

  private struct Entry {
    var exchange: TracedExchange
    let id: RequestID
    let url: String
    /// The report that is complete when a streamed body has been read.
    var ending: BodyStream.Ending?
  }

  /// Creates a tracer; its clock starts now.
  public init(redaction: Redaction = Redaction(), time: TimeSource = .system) {
    self.redaction = redaction
    self.time = time
    start = time.now()
  }

  /// The exchanges so far, in the order in which they began.
  public var exchanges: [TracedExchange] {
    state.withLock { entries in
      entries.map { entry in
        var exchange = entry.exchange
        if let report = entry.ending?.transport { exchange.transport = report }
        return exchange
      }
    }
  }

  /// The time since the tracer was created.
  public var elapsed: Duration { time.now() - start }

  /// Sends the request, and records when it began and how it ended.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let index = begin(request)
    do throws(NetworkError) {
      let response = try await next.dispatch(request)
      end(index) { exchange in
        exchange.outcome = .status(response.status.code)
        exchange.retryAfter = response.head.headerFields[.retryAfter].map {
          Printable.text(String($0.prefix(100)))
        }
        exchange.transport = response.exchange.transport
      }
      if case .stream(let stream) = response.body {
        state.withLock { $0[index].ending = stream.ending }
      }
      return response
    } catch {
      end(index) { $0.outcome = .failure(error.label) }
      throw error
    }
  }

  private func begin(_ request: Request) -> Int {
    let head = request.head
    let url = "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")"
    var exchange = TracedExchange(
      method: head.method.rawValue, url: Printable.text(redaction.url(url)), attempt: request.attempt,
      address: request.context.connectTarget.map { "\($0)" }, start: elapsed)
    exchange.hasCredentials =
      head.headerFields.contains(.authorization) || head.headerFields.contains(.cookie)
    return state.withLock { [exchange] entries in
      var exchange = exchange
      // A run sends several requests, and several at the same time.
      exchange.isHop = entries.last { $0.id == request.id }.map { $0.url != url } ?? false
      entries.append(Entry(exchange: exchange, id: request.id, url: url))
      return entries.count - 1
    }
  }

  private func end(_ index: Int, _ change: (inout TracedExchange) -> Void) {
    let now = elapsed
    state.withLock { entries in
      entries[index].exchange.end = now
      change(&entries[index].exchange)
    }
  }
}

/// A request that was sent, and how that ended.
public struct TracedExchange: Sendable, Hashable {
  /// How an exchange ended.
  public enum Outcome: Sendable, Hashable {
    /// With a response of this status.
    case status(Int)
    /// With an error of this label.
    case failure(String)
  }

  /// The method.
  public var method: String
  /// The URL, redacted.
  public var url: String
  /// The number of the attempt, counted from 1.
  public var attempt: Int
  /// Whether a redirect led to it.
  public var isHop = false
  /// The address that was chosen without DNS, if any.
  public var address: String?
  /// When it began, from the beginning of the call.
  public var start: Duration
  /// When its head arrived, or it failed; nil while it lasts.
  public var end: Duration?
  /// How it ended; nil while it lasts.
  public var outcome: Outcome?
  /// The value of `Retry-After` in its response.
  public var retryAfter: String?
  /// Whether it had `Authorization` or cookies.
  public var hasCredentials = false
  /// What the transport measured.
  public var transport: TransportReport?

  /// Creates an exchange that has begun.
  public init(method: String, url: String, attempt: Int = 1, address: String? = nil, start: Duration) {
    self.method = method
    self.url = url
    self.attempt = attempt
    self.address = address
    self.start = start
  }
}
