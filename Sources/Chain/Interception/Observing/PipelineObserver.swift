public import HTTPTypes

/// Receives an event for every step of every request.
///
/// Observe to measure, trace or log. To change a request or a response, write an ``Interceptor``.
///
/// Events of one request arrive in the order in which they occurred; events of different requests may arrive
/// concurrently on different threads. ``observe(_:)`` is called synchronously while the request is processed,
/// so it must return quickly and defer any expensive work.
public protocol PipelineObserver: Sendable {
  /// Whether the observer wants the events of a request that starts now; true by default.
  ///
  /// A pipeline reads it once per request. If no observer is interested, no clock is read and no event is
  /// created, so return false while your output is disabled. The getter must be fast.
  var isObserving: Bool { get }

  /// Whether the observer wants the events of the steps; true by default.
  ///
  /// If none of a request's observers does, its steps are not measured, which costs much less: the observers
  /// receive ``PipelineEvent/Kind/started(_:)``, ``PipelineEvent/Kind/cache(_:)`` of the response and
  /// ``PipelineEvent/Kind/finished(_:)`` only. An observer that returns false may still receive the other
  /// events, because of another observer.
  var observesSteps: Bool { get }

  /// Receives an event.
  func observe(_ event: PipelineEvent)
}

extension PipelineObserver {
  /// Always true.
  public var isObserving: Bool { true }

  /// Always true.
  public var observesSteps: Bool { true }
}

/// An event in a request's processing by a pipeline.
public struct PipelineEvent: Sendable {
  /// The request's ID.
  public let request: RequestID
  /// The attempt, counted from 1.
  public let attempt: Int
  /// What happened.
  public let kind: Kind

  /// The kinds of events.
  public enum Kind: Sendable {
    /// The request entered the pipeline.
    case started(Request.Summary)
    /// A step started.
    case entered(Step)
    /// A step ended; `own` is its time without the inner steps, `total` includes them.
    case left(Step, own: Duration, total: Duration, Outcome)
    /// A cache reported how it handled the request; at most once per call.
    case cache(Exchange.CacheStatus)
    /// The transport reported its measurements; for a stream, when it ends, which may be after
    /// ``finished(_:)``.
    case transport(TransportReport)
    /// The call ended with a response or an error.
    case finished(Outcome)
  }

  /// A step of the chain.
  public enum Step: Sendable, Hashable {
    /// An interceptor, by name and stage.
    case interceptor(String, Stage)
    /// The dispatcher, by the name of its type.
    case dispatcher(String)

    /// The name of the interceptor or dispatcher.
    public var name: String {
      switch self {
      case .interceptor(let name, _), .dispatcher(let name): name
      }
    }
  }

  /// How a step or a call ended.
  public enum Outcome: Sendable {
    // Indirect, because an event is copied for each observer, and an exchange is large.
    /// It returned a response with this status.
    indirect case answered(HTTPResponse.Status, Exchange)
    /// It threw an error.
    case failed(NetworkError)

    init(_ result: Result<Response, NetworkError>) {
      switch result {
      case .success(let response): self = .answered(response.status, response.exchange)
      case .failure(let error): self = .failed(error)
      }
    }
  }
}

extension Request {
  /// The parts of a request that may be shown: no header fields, query, body or user name.
  public struct Summary: Sendable, Hashable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The scheme, in lowercase.
    public let scheme: String
    /// The host and port.
    public let authority: String
    /// The path without its query.
    public let path: String
    /// The API that is called, if known.
    public let api: APIIdentity?
    /// The partition of its responses, which can name an account and is not part of a log.
    package let partition: String

    /// Creates a summary of a request.
    public init(_ request: Request) { self.init(request, includingPartition: true) }

    init(_ request: Request, includingPartition: Bool) {
      // Read once, because reading it copies it.
      let head = request.head
      method = head.method
      scheme = head.scheme?.lowercased() ?? ""
      let authority = head.authority ?? ""
      let hostStart = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map(authority.utf8.index(after:))
      self.authority = hostStart.map { String(authority[$0...]) } ?? authority
      let path = head.path ?? ""
      self.path = path.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(path[..<$0]) } ?? path
      api = request.api
      partition = includingPartition ? request.context.partition : ""
    }
  }
}
