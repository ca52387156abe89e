public import HTTPTypes

/// A record of one request: its steps in order with their own times, its cache status and its transport
/// reports.
public struct Trace: Sendable {
  /// One step of a request.
  public struct Step: Sendable {
    /// The name of the interceptor or dispatcher.
    public let name: String
    /// The attempt to which the step belongs.
    public let attempt: Int
    /// The time spent in the step without the inner steps; nil while it runs.
    public internal(set) var own: Duration?
    /// The time spent in the step including the inner steps; nil while it runs.
    public internal(set) var total: Duration?
    /// The error that the step threw or passed on.
    package internal(set) var error: NetworkError?
  }

  /// The request's ID.
  public let request: RequestID
  /// The parts of the request that may be shown.
  public let summary: Request.Summary
  /// The steps, in the order in which they started.
  public internal(set) var steps: [Step] = []
  /// How the cache handled the request.
  public internal(set) var cache: Exchange.CacheStatus?
  /// The redirects that were followed, in order.
  public internal(set) var redirects: [Exchange.Redirect] = []
  /// Why the request was not sent again; nil if the outcome is not one that is usually retried.
  public internal(set) var retryRefusal: Exchange.RetryRefusal?
  /// The coding of the request's body, if an interceptor compressed it.
  package internal(set) var requestCoding: ContentCoding?
  /// The transport's reports, one per attempt.
  public internal(set) var transports: [TransportReport] = []
  /// The status of the response.
  public internal(set) var status: HTTPResponse.Status?
  /// The error that the caller received.
  public internal(set) var error: NetworkError?

  init(request: RequestID, summary: Request.Summary) {
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
    case .finished(.answered(let status, let exchange)):
      self.status = status
      redirects = exchange.redirects
      requestCoding = exchange.requestCoding
      retryRefusal = exchange.retryRefusal
    case .finished(.failed(let error)):
      self.error = error
      retryRefusal = error.retryRefusal
    }
  }
}
