import Foundation
import Interception
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Owns the session, admits transfers, creates their tasks, and cancels the remaining ones.
///
/// Every transfer in progress retains its owner, so the session outlives the dispatcher until the last
/// transfer ends.
final class SessionOwner: Sendable {
  private struct State {
    var queue: AdmissionQueue<UInt64>
    var transfers: [UInt64: Transfer] = [:]
    var lastID: UInt64 = 0
    var isInvalidated = false
    var idleWait = IdleWait<CheckedContinuation<Void, Never>>()
  }

  /// A task, and its session if that was created for this task only.
  struct TaskHandle: Sendable {
    let task: URLSessionDataTask
    let ownSession: URLSession?

    /// Starts the task; a session created for it ends with it.
    func start() {
      task.resume()
      ownSession?.finishTasksAndInvalidate()
    }

    /// Suspends the task.
    func pause() { task.suspend() }

    /// Resumes a suspended task.
    func goOn() { task.resume() }
  }

  let configuration: URLSessionDispatcher.Configuration
  let behavior: PlatformBehavior
  let time: TimeSource
  private let delegate = SessionDelegate()
  private let delegateQueue: OperationQueue
  private let session: URLSession
  private let state: Mutex<State>

  init(configuration: URLSessionDispatcher.Configuration, behavior: PlatformBehavior, time: TimeSource) {
    self.configuration = configuration
    self.behavior = behavior
    self.time = time
    state = Mutex(State(queue: AdmissionQueue(limits: configuration.limits)))
    delegateQueue = OperationQueue()
    delegateQueue.name = "URLSessionTransport"
    delegateQueue.maxConcurrentOperationCount = 1
    session = URLSession(
      configuration: Self.sessionConfiguration(configuration.limits), delegate: delegate,
      delegateQueue: delegateQueue)
  }

  // No transfer is in progress, because it would retain its owner.
  deinit { session.finishTasksAndInvalidate() }

  /// The number of running and waiting transfers.
  var liveTransfers: Int { state.withLock { $0.transfers.count } }

  /// The number of tasks whose end has not been reported by the session.
  var liveTasks: Int { delegate.liveTasks }

  /// Waits until the session has reported the end of every task and released them.
  func waitUntilNoTasks() async {
    await delegate.waitUntilNoTasks()
    // The last report may still be executing; the queue is serial.
    await withCheckedContinuation { continuation in delegateQueue.addOperation { continuation.resume() } }
  }

  /// Starts, queues or refuses a transfer.
  func submit(_ transfer: Transfer) {
    let now = time.now()
    let (id, verdict) = state.withLock { state in
      state.lastID += 1
      let id = state.lastID
      let verdict = state.queue.enter(
        id, origin: transfer.plan.address.origin, priority: transfer.plan.options.priority, at: now)
      if verdict == .runs || verdict == .waits { state.transfers[id] = transfer }
      return (id, verdict)
    }
    transfer.note(id: id)
    switch verdict {
    case .runs: transfer.start()
    case .waits: transfer.watchTime()
    case .isRefused:
      transfer.fail(.queueFull(origin: transfer.plan.address.origin, limit: configuration.limits.queue))
    case .isClosed:
      transfer.fail(
        .cancelled(.shutdown, origin: transfer.plan.address.origin, mayHaveBeenProcessed: false))
    }
    // The transfer may have been cancelled before it was admitted.
    if transfer.isOver { leave(id) }
  }

  /// Removes a transfer that ended, and starts waiting ones in its place.
  func leave(_ id: UInt64) {
    let (started, waiters) = state.withLock { state -> ([Transfer], [CheckedContinuation<Void, Never>]) in
      state.transfers[id] = nil
      let started = state.queue.leave(id).compactMap { state.transfers[$0] }
      return (started, state.transfers.isEmpty ? state.idleWait.end() : [])
    }
    for transfer in started { transfer.start() }
    for waiter in waiters { waiter.resume() }
  }

  /// Creates a task that reports to a transfer; returns nil after the session has ended.
  func makeTaskHandle(_ request: URLRequest, for transfer: Transfer) -> TaskHandle? {
    // Foundation crashes if a task is requested from an invalidated session; the lock prevents that.
    state.withLock { state in
      guard !state.isInvalidated else { return nil }
      let own =
        transfer.plan.needsOwnConnection
        ? URLSession(
          configuration: Self.sessionConfiguration(configuration.limits), delegate: delegate,
          delegateQueue: delegateQueue) : nil
      let task = (own ?? session).dataTask(with: request)
      task.priority = Self.priority(transfer.plan.options.priority)
      delegate.add(transfer, for: task)
      return TaskHandle(task: task, ownSession: own)
    }
  }

  /// Stops admitting transfers, and returns once all have ended, after `grace` at the latest.
  func close(grace: Duration) async {
    let waiting = state.withLock { state in state.queue.close().compactMap { state.transfers[$0] } }
    for transfer in waiting { transfer.cancel(.shutdown) }
    if grace > .zero { await waitUntilIdle(upTo: grace) }
    let running = state.withLock { state in
      state.isInvalidated = true
      return Array(state.transfers.values)
    }
    for transfer in running { transfer.cancel(.shutdown) }
    session.invalidateAndCancel()
  }

  private func waitUntilIdle(upTo grace: Duration) async {
    let timer = Task {
      do { try await time.sleep(for: grace) } catch { return }
      for waiter in state.withLock({ $0.idleWait.endGrace() }) { waiter.resume() }
    }
    await withCheckedContinuation { continuation in
      let waits = state.withLock { $0.idleWait.begin(continuation, isIdle: $0.transfers.isEmpty) }
      if !waits { continuation.resume() }
    }
    timer.cancel()
  }

  private static func sessionConfiguration(_ limits: URLSessionDispatcher.Limits) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.timeoutIntervalForRequest = RequestPlan.never
    configuration.timeoutIntervalForResource = RequestPlan.never
    configuration.httpMaximumConnectionsPerHost = limits.perOrigin
    // A chain that foreign code uses may end here.
    configuration.protocolClasses?.removeAll { $0 is PipelineURLProtocol.Type }
    return configuration
  }

  private static func priority(_ priority: RequestOptions.Priority) -> Float {
    switch priority {
    case ..<RequestOptions.Priority.normal: URLSessionTask.lowPriority
    case .normal: URLSessionTask.defaultPriority
    default: URLSessionTask.highPriority
    }
  }
}

/// The waits for the end of all transfers when a session is closed; a value without I/O.
struct IdleWait<Waiter> {
  private var waiters: [Waiter] = []
  private var isGraceOver = false

  /// Begins a wait; false if there is nothing to wait for, or the grace period has ended before it began.
  mutating func begin(_ waiter: Waiter, isIdle: Bool) -> Bool {
    guard !isIdle, !isGraceOver else { return false }
    waiters.append(waiter)
    return true
  }

  /// Ends the waits, because all transfers have ended.
  mutating func end() -> [Waiter] {
    defer { waiters = [] }
    return waiters
  }

  /// Ends the waits, and later ones, because the grace period has ended.
  mutating func endGrace() -> [Waiter] {
    isGraceOver = true
    return end()
  }
}
