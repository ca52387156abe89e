#if SQLite
import DurableQueues
import HTTPTypes
import Interception
import ObservedValues
import Synchronization

/// Sends the mutations of the lines, and stores what becomes of them.
final class MutationDelivery: Sendable {
  /// The outcome of a delivery.
  private enum Outcome: Sendable {
    case delivered(Mutation, Response)
    case rejected(Mutation, reason: String, hasResponse: Bool)
  }

  private struct State: Sendable {
    var lines: MutationLines
    /// Outcomes that couldn't be stored, because the disk was full; their mutations aren't sent again.
    var unsettled: [Int64: Outcome] = [:]
    /// The requests in flight, which end when another account uses the app.
    var requests: [MutationLines.Key: Task<Result<Response, NetworkError>, Never>] = [:]
  }

  let signal: WorkSignal
  let changes = Broadcast<MutationChange>(keeping: 256)
  let observed: ObservedValue<MutationQueue.State>
  /// Returns the account that uses the app.
  let account: @Sendable () -> String
  private let storage: MutationFile
  private let dispatcher: any Dispatcher
  private let time: TimeSource
  private let random: @Sendable () -> Double
  private let state: Mutex<State>

  init(
    _ storage: MutationFile, _ waiting: [MutationFile.Waiting], inFlight: Int,
    over dispatcher: any Dispatcher, account: @escaping @Sendable () -> String, time: TimeSource,
    random: @escaping @Sendable () -> Double
  ) {
    self.storage = storage
    self.dispatcher = dispatcher
    self.account = account
    self.time = time
    self.random = random
    signal = WorkSignal(time: time)
    var lines = MutationLines(maximumInFlight: inFlight)
    for mutation in waiting { lines.add(mutation.entry, to: mutation.key) }
    observed = ObservedValue(MutationQueue.State(pendingCount: lines.count))
    state = Mutex(State(lines: lines))
  }

  /// The number of mutations that wait.
  var count: Int { state.withLock { $0.lines.count } }

  /// Reports a change of the lines to the readers of the changes and of the queue's state.
  func report(_ change: MutationChange) {
    changes.send(change)
    observed.update { state in
      state.pendingCount = count
      switch change {
      case .enqueued, .cancelled: break
      case .delivered: state.failure = nil
      case .delayed(_, let reason): state.failure = reason
      case .rejected(let rejected): state.failure = rejected.reason
      case .damaged: state.failure = "the record of a mutation is damaged"
      }
    }
  }

  /// Changes the lines, and wakes the task that delivers.
  func change<Value: Sendable>(_ change: (inout MutationLines) -> Value) -> Value {
    let value = state.withLock { change(&$0.lines) }
    signal.wake()
    return value
  }

  /// Ends the deliveries of other accounts, which are repeated when theirs is back, and examines the lines
  /// again.
  func accountDidChange() {
    let current = account()
    let requests = state.withLock { state in
      state.requests.filter { $0.key.partition != current }.values
    }
    for request in requests { request.cancel() }
    signal.wake()
  }

  /// Delivers until the task is cancelled.
  func run(_ signals: AsyncStream<Void>) async {
    await withDiscardingTaskGroup { group in
      for await _ in signals {
        startDeliveries(&group)
        if Task.isCancelled { break }
      }
    }
    signal.finish()
  }

  private func startDeliveries(_ group: inout DiscardingTaskGroup) {
    while !Task.isCancelled {
      let (now, account) = (time.wallTime(), account())
      switch state.withLock({ $0.lines.next(now: now, account: account) }) {
      case .idle: return signal.wait(for: .work)
      case .wait(let duration): return signal.wait(for: .work, atMost: duration)
      case .deliver(let entry, let key):
        group.addTask { [self] in
          await deliver(entry, key)
          signal.wake()
        }
      }
    }
  }

  private func deliver(_ entry: MutationLines.Entry, _ key: MutationLines.Key) async {
    do throws(QueueFileError) {
      if let outcome = state.withLock({ $0.unsettled[entry.sequence] }) {
        return try await settle(outcome, entry, key)
      }
      guard let mutation = try await storage.begin(entry) else {
        state.withLock { $0.lines.finish(key, hasResponse: false) }
        return report(.damaged(id: entry.id))
      }
      try await send(mutation, entry, key)
    } catch {
      // Nothing can be sent without recording it.
      _ = fail(key, .unrecorded)
      // The file may be unable to return the mutation, too; the state needs only the reason.
      observed.update { $0.failure = error.description }
      guard let mutation = try? await storage.mutation(entry) else { return }
      changes.send(.delayed(mutation, reason: error.description))
    }
  }

  private func send(
    _ mutation: Mutation, _ entry: MutationLines.Entry, _ key: MutationLines.Key
  ) async throws(QueueFileError) {
    var mutation = mutation
    let (result, isInterrupted) = await response(to: mutation, key)
    if !Self.mayHaveReachedServer(result) {
      mutation.attempts -= 1
      try await storage.takeBack(entry)
    }
    guard let result, !isInterrupted else { return state.withLock { $0.lines.interrupt(key) } }
    let (failure, reason): (MutationLines.Failure, String)
    switch result {
    case .success(let response):
      let verdict = DeliveryVerdict(response, now: time.wallTime())
      reason = verdict.failure ?? ""
      switch verdict {
      case .delivered: return try await settle(.delivered(mutation, response), entry, key)
      case .failed(_, let retryAfter): failure = .temporary(retryAfter: retryAfter)
      case .tooLarge, .refused:
        guard let conflict = Self.unfinished(mutation, response, now: time.wallTime()) else {
          return try await settle(.rejected(mutation, reason: reason, hasResponse: true), entry, key)
        }
        failure = conflict
      }
    case .failure(let error):
      reason = error.label
      switch error.kind {
      case .invalidRequest:
        return try await settle(.rejected(mutation, reason: reason, hasResponse: false), entry, key)
      case .bodyTooLarge, .bodyNotReplayable, .unsupported, .notStored: failure = .refusal(retryAfter: nil)
      case .rejected where error.retryRefusal == .circuitOpen || !error.requestMayHaveBeenProcessed:
        // No response was refused: a circuit breaker, a limited rate, a token that can't be obtained.
        failure = .temporary(retryAfter: nil)
      case .rejected: failure = .refusal(retryAfter: nil)
      default: failure = .unreachable
      }
    }
    guard fail(key, failure) else {
      return try await settle(.rejected(mutation, reason: reason, hasResponse: true), entry, key)
    }
    report(.delayed(mutation, reason: reason))
  }

  /// Sends the request of a mutation, without a result if another account uses the app now; it is
  /// interrupted, and sent again later, if the account changed meanwhile or the queue was stopped.
  private func response(
    to mutation: Mutation, _ key: MutationLines.Key
  ) async -> (result: Result<Response, NetworkError>?, isInterrupted: Bool) {
    guard account() == mutation.partition else { return (nil, true) }
    let request = mutation.request
    let task = Task(priority: .utility) { [dispatcher] () -> Result<Response, NetworkError> in
      do throws(NetworkError) { return .success(try await dispatcher.dispatch(request)) } catch {
        return .failure(error)
      }
    }
    state.withLock { $0.requests[key] = task }
    defer { state.withLock { $0.requests[key] = nil } }
    // The account may have changed before the task could be found and cancelled.
    if account() != mutation.partition { task.cancel() }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    // A response is valid also if it came at the same time as the cancellation.
    if case .failure = result { return (result, task.isCancelled) }
    return (result, false)
  }

  private static func mayHaveReachedServer(_ result: Result<Response, NetworkError>?) -> Bool {
    switch result {
    case nil: false
    case .success: true
    case .failure(let error): error.requestMayHaveBeenProcessed
    }
  }

  /// The failure of a 409 that may say that the first request with the key is still being processed
  /// (draft-ietf-httpapi-idempotency-key-header, section 2.6); nil for any other response.
  ///
  /// The draft gives it no other mark. It can be so only if an earlier attempt may have reached the server,
  /// or the response asks for a repeat by `Retry-After`; any other 409 is the API's own.
  private static func unfinished(
    _ mutation: Mutation, _ response: Response, now: WallTime
  ) -> MutationLines.Failure? {
    guard response.status == .conflict else { return nil }
    let retryAfter = RetryAfter.wait(in: response.head.headerFields, now: now)
    let isRepeat = mutation.attempts > 1 || response.exchange.attempts > 1
    return isRepeat || retryAfter != nil ? .refusal(retryAfter: retryAfter) : nil
  }

  private func settle(
    _ outcome: Outcome, _ entry: MutationLines.Entry, _ key: MutationLines.Key
  ) async throws(QueueFileError) {
    state.withLock { $0.unsettled[entry.sequence] = outcome }
    let change: MutationChange
    var hasResponse = true
    switch outcome {
    case .delivered(let mutation, let response):
      try await storage.remove(entry)
      change = .delivered(mutation, response)
    case .rejected(let mutation, let reason, let isResponse):
      hasResponse = isResponse
      try await storage.reject(entry, reason: reason)
      change = .rejected(RejectedMutation(mutation: mutation, reason: reason))
    }
    state.withLock { [hasResponse] state in
      state.unsettled[entry.sequence] = nil
      state.lines.finish(key, hasResponse: hasResponse)
    }
    report(change)
  }

  private func fail(_ key: MutationLines.Key, _ failure: MutationLines.Failure) -> Bool {
    let (now, chance) = (time.wallTime(), random())
    return state.withLock { $0.lines.fail(key, failure, now: now, random: chance) }
  }
}
#endif
