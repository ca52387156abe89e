public import HTTPTypes

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
