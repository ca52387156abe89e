public import HTTPTypes

/// What one request did and why: its steps in order with their own time, its cache status and its transport.
public struct Trace: Sendable {
  /// One step that a request went through.
  public struct Step: Sendable {
    /// Who did it.
    public let name: String
    /// The attempt that it belongs to.
    public let attempt: Int
    /// Its time without the steps further in; nil while it runs.
    public internal(set) var own: Duration?
    /// Its time with the steps further in.
    public internal(set) var total: Duration?
    /// The error that it ended with, or passed on.
    public internal(set) var error: NetworkError?
  }

  /// The request.
  public let request: RequestID
  /// What of the request may be shown.
  public let summary: RequestSummary
  /// The steps, in the order in which they began.
  public internal(set) var steps: [Step] = []
  /// What the cache did.
  public internal(set) var cache: CacheStatus?
  /// What the transport saw, one report an attempt.
  public internal(set) var transports: [TransportReport] = []
  /// The status of the answer.
  public internal(set) var status: HTTPResponse.Status?
  /// The error that the caller got.
  public internal(set) var error: NetworkError?

  init(request: RequestID, summary: RequestSummary) {
    self.request = request
    self.summary = summary
  }

  mutating func take(_ event: PipelineEvent) {
    switch event.kind {
    case .started: break
    case .entered(let step): steps.append(Step(name: step.name, attempt: event.attempt))
    case .left(let step, let own, let total, let outcome):
      guard
        let index = steps.lastIndex(where: {
          $0.name == step.name && $0.attempt == event.attempt && $0.own == nil
        })
      else { return }
      steps[index].own = own
      steps[index].total = total
      if case .failed(let error) = outcome { steps[index].error = error }
    case .cache(let status): cache = status
    case .transport(let report): transports.append(report)
    case .finished(.answered(let status, _)): self.status = status
    case .finished(.failed(let error)): self.error = error
    }
  }
}
