import HTTPTypes
import Interception

/// Decides which calls need a log line besides those of their attempts; a pure function of a pipeline's
/// events.
///
/// Each attempt that reaches the logging stage is logged there. The tracker finds the other calls: responses
/// from a cache or another interceptor, and errors from further out.
struct CallTracker: Sendable {
  /// A finished call that is to be logged.
  struct FinishedCall: Sendable {
    let summary: Request.Summary
    /// The last request that reached the logging stage, or the one that entered the pipeline, whose secrets
    /// an error may quote.
    let request: Request?
    let duration: Duration
    let cache: Exchange.CacheStatus?
    let reason: Reason
  }

  /// Why it is to be logged.
  enum Reason: Sendable {
    /// A cache responded, possibly after revalidation with the server.
    case answeredFromCache(HTTPResponse.Status)
    /// An interceptor responded without sending anything.
    case answeredWithoutNetwork(HTTPResponse.Status)
    /// A cache forwarded the request.
    case forwardedByCache(HTTPResponse.Status)
    /// The last attempt's response, or its failure, was not retried.
    case notRetried(Exchange.RetryRefusal, HTTPResponse.Status?)
    /// An outer interceptor or the pipeline failed.
    case failed(NetworkError)
  }

  private struct Call: Sendable {
    let summary: Request.Summary
    let startedAt: Duration
    var cache: Exchange.CacheStatus?
    var reachedTheWire = false
    /// The last request that reached the logging stage, or the one that entered the pipeline.
    var request: Request?
    var loggedFailure: (label: String, origin: NetworkError.Origin?)?
  }

  // Copies of a request share its id, so concurrent calls with the same id are stacked.
  private var calls: [RequestID: [Call]] = [:]

  /// The number of calls in flight.
  private(set) var count = 0

  /// Records an event, and returns a call that is to be logged.
  mutating func record(_ event: PipelineEvent, at now: Duration) -> FinishedCall? {
    switch event.kind {
    case .started(let summary):
      calls[event.request, default: []].append(
        Call(summary: summary, startedAt: now, request: event.subject))
      count += 1
    case .cache(let status):
      change(event.request) { $0.cache = status }
    case .finished(let outcome):
      guard let call = calls[event.request]?.popLast() else { return nil }
      count -= 1
      if calls[event.request]?.isEmpty == true { calls[event.request] = nil }
      return Self.reason(toLog: call, outcome).map {
        FinishedCall(
          summary: call.summary, request: call.request, duration: now - call.startedAt, cache: call.cache,
          reason: $0)
      }
    case .entered, .left, .transport: break
    }
    return nil
  }

  /// Records that a request reached the logging stage, which logs how that ends.
  mutating func noteAttempt(of request: Request) {
    change(request.id) { call in
      (call.request, call.reachedTheWire) = (request, true)
      call.loggedFailure = nil
    }
  }

  /// Records that the logging stage has logged a failure.
  mutating func noteFailure(_ error: NetworkError, of request: RequestID) {
    change(request) { $0.loggedFailure = (error.label, error.origin) }
  }

  private mutating func change(_ request: RequestID, _ body: (inout Call) -> Void) {
    guard let index = calls.index(forKey: request), let last = calls.values[index].indices.last else {
      return
    }
    body(&calls.values[index][last])
  }

  private static func reason(toLog call: Call, _ outcome: PipelineEvent.Outcome) -> Reason? {
    switch outcome {
    case .answered(let status, let exchange):
      if let refusal = exchange.retryRefusal?.toLog { return .notRetried(refusal, status) }
      if let cache = call.cache {
        return cache.isHit ? .answeredFromCache(status) : .forwardedByCache(status)
      }
      return call.reachedTheWire ? nil : .answeredWithoutNetwork(status)
    case .failed(let error):
      // An error that the logging stage itself throws has no origin yet.
      if let logged = call.loggedFailure, logged.label == error.label,
        logged.origin == nil || logged.origin == error.origin
      {
        return error.retryRefusal?.toLog.map { .notRetried($0, nil) }
      }
      return .failed(error)
    }
  }
}

extension Exchange.RetryRefusal {
  /// The refusal if it is to be logged; the number of a last attempt says as much.
  fileprivate var toLog: Exchange.RetryRefusal? { self == .noAttemptsLeft ? nil : self }
}
