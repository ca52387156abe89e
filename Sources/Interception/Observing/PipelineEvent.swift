public import HTTPTypes

/// Something that happened to a request on its way through a pipeline.
public struct PipelineEvent: Sendable {
  /// The request.
  public let request: RequestID
  /// The attempt, counted from 1.
  public let attempt: Int
  /// What happened.
  public let kind: Kind

  /// What can happen.
  public enum Kind: Sendable {
    /// The request entered the pipeline.
    case started(RequestSummary)
    /// A step began.
    case entered(Step)
    /// A step ended; `own` is its time without the steps further in, `total` with them.
    case left(Step, own: Duration, total: Duration, Outcome)
    /// A cache told what it did; once a call.
    case cache(CacheStatus)
    /// The transport told what it saw; for a stream when it has ended, which may be after ``finished(_:)``.
    case transport(TransportReport)
    /// The caller has its answer, or its error.
    case finished(Outcome)
  }

  /// A step of the chain.
  public enum Step: Sendable, Hashable {
    /// An interceptor, by name and stage.
    case interceptor(String, Stage)
    /// The dispatcher, by its type's name.
    case dispatcher(String)

    /// The name of whoever did the step.
    public var name: String {
      switch self {
      case .interceptor(let name, _), .dispatcher(let name): name
      }
    }
  }

  /// How a step, or a call, ended.
  public enum Outcome: Sendable {
    // Indirect, because an event is copied for each observer, and an exchange is large.
    /// With an answer of this status.
    indirect case answered(HTTPResponse.Status, Exchange)
    /// With an error.
    case failed(NetworkError)

    init(_ result: Result<Response, NetworkError>) {
      switch result {
      case .success(let response): self = .answered(response.status, response.exchange)
      case .failure(let error): self = .failed(error)
      }
    }
  }
}
