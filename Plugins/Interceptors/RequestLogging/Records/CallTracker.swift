import HTTPTypes
import Interception
import Synchronization

/// Decides whether a call needs a log line besides those of its attempts.
///
/// Each attempt that reaches the logging stage is logged there. The tracker finds the other calls: responses
/// from a cache or another interceptor, and errors from further out.
final class CallTracker: CallEndRecorder {
  /// A finished call that is to be logged.
  struct FinishedCall: Sendable {
    /// The request that entered the pipeline.
    let called: Request
    /// The last request that reached the logging stage, or the one that entered the pipeline, whose secrets
    /// an error may quote.
    let request: Request
    let attempt: Int
    let duration: Duration
    let cache: Exchange.CacheStatus?
    let reason: Reason
    let alterations: [CallAlteration]

    /// The parts of the request that may be shown.
    var summary: Request.Summary { Request.Summary(called) }
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

  private struct Attempts: Sendable {
    /// The last request that reached the logging stage.
    var last: Request?
    /// The failure with which it ended, if that was logged.
    var loggedFailure: (label: String, origin: NetworkError.Origin?)?
    /// What interventions did to the call, a few of them at most.
    var alterations: [CallAlteration] = []
  }

  private static let alterationLimit = 64

  let log: any CallLogging
  private let called: Request
  private let startedAt: Duration
  private let attempts = Mutex(Attempts())

  /// Creates the tracker of a call that starts now.
  init(of request: Request, for log: any CallLogging) {
    self.log = log
    called = request
    startedAt = log.time.now()
  }

  /// Records that a request reached the logging stage, which logs how that ends.
  func noteAttempt(of request: Request) {
    attempts.withLock { attempts in
      attempts.last = request
      attempts.loggedFailure = nil
    }
  }

  /// What interventions have done to the call so far.
  var alterations: [CallAlteration] { attempts.withLock { $0.alterations } }

  /// Records what an intervention did.
  func keep(_ alteration: CallAlteration) {
    attempts.withLock { attempts in
      if attempts.alterations.count < Self.alterationLimit { attempts.alterations.append(alteration) }
    }
  }

  /// Records that the logging stage has logged a failure.
  func noteFailure(_ error: NetworkError) {
    attempts.withLock { $0.loggedFailure = (error.label, error.origin) }
  }

  func record(_ event: CallEvent, at time: Duration) {
    switch event {
    case .delivered(let response, _):
      finish(reason(toLog: response), attempt: called.attempt, cache: response.cacheStatus)
    case .refused(let error): finish(reason(toLog: error), attempt: error.attempt)
    case .entered, .left, .sent, .received, .failed, .streamed, .transported: break
    }
  }

  private func finish(_ reason: Reason?, attempt: Int, cache: Exchange.CacheStatus? = nil) {
    guard let reason else { return }
    log.log(
      FinishedCall(
        called: called, request: attempts.withLock { $0.last } ?? called, attempt: attempt,
        duration: log.time.now() - startedAt, cache: cache, reason: reason, alterations: alterations))
  }

  private func reason(toLog response: Response) -> Reason? {
    let status = response.status
    if let refusal = response.exchange.retryRefusal?.toLog { return .notRetried(refusal, status) }
    if let cache = response.cacheStatus {
      return cache.isHit ? .answeredFromCache(status) : .forwardedByCache(status)
    }
    return attempts.withLock { $0.last == nil } ? .answeredWithoutNetwork(status) : nil
  }

  private func reason(toLog error: NetworkError) -> Reason? {
    // An error that the logging stage itself throws has no origin yet.
    if let logged = attempts.withLock({ $0.loggedFailure }), logged.label == error.label,
      logged.origin == nil || logged.origin == error.origin
    {
      return error.retryRefusal?.toLog.map { .notRetried($0, nil) }
    }
    return .failed(error)
  }
}

/// An interceptor that logs attempts, and the calls that its trackers find.
protocol CallLogging: AnyObject, Sendable {
  var time: TimeSource { get }

  /// Logs a call that has ended.
  func log(_ call: CallTracker.FinishedCall)

  /// Logs that a call was altered; does nothing by default.
  func log(_ alteration: CallAlteration, of request: Request)
}

extension CallLogging {
  func log(_ alteration: CallAlteration, of request: Request) {}
}

extension CallLogging {
  /// Returns the tracker of the call of which a chain is the remainder; nil outside of a pipeline that
  /// observes it.
  func tracker(in next: some Dispatcher) -> CallTracker? {
    for recorder in next.callRecorders.reversed() {
      if let tracker = recorder as? CallTracker, tracker.log === self { return tracker }
    }
    return nil
  }
}

extension Exchange.RetryRefusal {
  /// The refusal if it is to be logged; the number of a last attempt says as much.
  fileprivate var toLog: Exchange.RetryRefusal? { self == .noAttemptsLeft ? nil : self }
}
