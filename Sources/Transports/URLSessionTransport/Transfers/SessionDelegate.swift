import Foundation
import Interception
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Receives the events of a session's tasks and forwards them to their transfers.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
  // Keyed by identity, because task identifiers are unique only within one session.
  private let state = Mutex(State())

  private struct State {
    var transfers: [ObjectIdentifier: Transfer] = [:]
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The number of tasks whose end has not been reported.
  var liveTasks: Int { state.withLock { $0.transfers.count } }

  /// Waits until the end of every task has been reported.
  func waitUntilNoTasks() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if !state.transfers.isEmpty { state.idleWaiters.append(continuation) }
        return state.transfers.isEmpty
      }
      if isIdle { continuation.resume() }
    }
  }

  /// Registers the transfer that receives the events of a task.
  func add(_ transfer: Transfer, for task: URLSessionTask) {
    state.withLock { $0.transfers[ObjectIdentifier(task)] = transfer }
  }

  private func transfer(of task: URLSessionTask) -> Transfer? {
    state.withLock { $0.transfers[ObjectIdentifier(task)] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse { transfer(of: dataTask)?.received(response) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    transfer(of: dataTask)?.received(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    switch challenge.protectionSpace.authenticationMethod {
    case "NSURLAuthenticationMethodServerTrust", "NSURLAuthenticationMethodClientCertificate":
      completionHandler(.performDefaultHandling, nil)
    default:
      // On Linux, Foundation asks only after receiving the whole response, and then discards it.
      transfer(of: task)?.challenged()
      completionHandler(.rejectProtectionSpace, nil)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    transfer(of: task)?.sent(totalBytesSent)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    transfer(of: task)?.measured(TaskMetrics(metrics))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (transfer, waiters) = state.withLock { state -> (Transfer?, [CheckedContinuation<Void, Never>]) in
      let transfer = state.transfers.removeValue(forKey: ObjectIdentifier(task))
      guard state.transfers.isEmpty else { return (transfer, []) }
      defer { state.idleWaiters = [] }
      return (transfer, state.idleWaiters)
    }
    transfer?.completed(response: task.response as? HTTPURLResponse, error: error)
    for waiter in waiters { waiter.resume() }
  }
}

/// The system's measurements of a task, which Foundation on Linux never reports.
struct TaskMetrics: Sendable {
  let name: Duration?
  let connect: Duration?
  let tls: Duration?
  let version: TransportReport.HTTPVersion?
  let isReused: Bool

  init(_ metrics: URLSessionTaskMetrics) {
    let last = metrics.transactionMetrics.last
    name = Self.time(last?.domainLookupStartDate, last?.domainLookupEndDate)
    connect = Self.time(
      last?.connectStartDate, last?.secureConnectionStartDate ?? last?.connectEndDate)
    tls = Self.time(last?.secureConnectionStartDate, last?.secureConnectionEndDate)
    version =
      switch last?.networkProtocolName {
      case "http/1.1", "http/1.0": .http1
      case "h2": .http2
      case "h3": .http3
      default: nil
      }
    isReused = last?.isReusedConnection ?? false
  }

  private static func time(_ start: Date?, _ end: Date?) -> Duration? {
    guard let start, let end else { return nil }
    return .seconds(end.timeIntervalSince(start))
  }
}
