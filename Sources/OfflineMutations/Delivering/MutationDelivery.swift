#if SQLite
import DurableQueues
import Interception
import Synchronization

/// Sends the mutations of the lines, and stores what becomes of them.
final class MutationDelivery: Sendable {
  /// The outcome of a delivery.
  private enum Outcome: Sendable {
    case delivered(Mutation, Response)
    case rejected(Mutation, reason: String)
  }

  private struct State: Sendable {
    var lines: MutationLines
    /// Outcomes that couldn't be stored, because the disk was full; their mutations aren't sent again.
    var unsettled: [Int64: Outcome] = [:]
  }

  let signal: WorkSignal
  let changes = ChangeStreams()
  private let storage: MutationFile
  private let dispatcher: any Dispatcher
  private let time: TimeSource
  private let random: @Sendable () -> Double
  private let state: Mutex<State>

  init(
    _ storage: MutationFile, _ waiting: [MutationFile.Waiting], inFlight: Int,
    over dispatcher: any Dispatcher, time: TimeSource, random: @escaping @Sendable () -> Double
  ) {
    self.storage = storage
    self.dispatcher = dispatcher
    self.time = time
    self.random = random
    signal = WorkSignal(time: time)
    var lines = MutationLines(maximumInFlight: inFlight)
    for mutation in waiting { lines.add(mutation.entry, resource: mutation.resource) }
    state = Mutex(State(lines: lines))
  }

  /// The number of mutations that wait.
  var count: Int { state.withLock { $0.lines.count } }

  /// Changes the lines, and wakes the task that delivers.
  func change<Value: Sendable>(_ change: (inout MutationLines) -> Value) -> Value {
    let value = state.withLock { change(&$0.lines) }
    signal.wake()
    return value
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
      let now = time.wallTime()
      switch state.withLock({ $0.lines.next(now: now) }) {
      case .idle: return signal.wait(for: .work)
      case .wait(let duration): return signal.wait(for: .work, atMost: duration)
      case .deliver(let entry, let resource):
        group.addTask { [self] in
          await deliver(entry, resource)
          signal.wake()
        }
      }
    }
  }

  private func deliver(_ entry: MutationLines.Entry, _ resource: String) async {
    do throws(QueueFileError) {
      if let outcome = state.withLock({ $0.unsettled[entry.sequence] }) {
        return try await settle(outcome, entry, resource)
      }
      guard let mutation = try await storage.begin(entry) else {
        state.withLock { $0.lines.finish(resource) }
        return changes.send(.damaged(id: entry.id))
      }
      try await send(mutation, entry, resource)
    } catch {
      // Nothing can be sent without recording it.
      fail(resource, hasResponse: false, retryAfter: nil)
    }
  }

  private func send(
    _ mutation: Mutation, _ entry: MutationLines.Entry, _ resource: String
  ) async throws(QueueFileError) {
    let response: Response
    do throws(NetworkError) {
      response = try await dispatcher.dispatch(mutation.request)
    } catch {
      if error.kind == .invalidRequest {
        return try await settle(.rejected(mutation, reason: error.label), entry, resource)
      }
      // A queue that is stopped sends the mutation again when it is started.
      if Task.isCancelled { return state.withLock { $0.lines.interrupt(resource) } }
      fail(resource, hasResponse: false, retryAfter: nil)
      return changes.send(.delayed(mutation, reason: error.label))
    }
    let verdict = DeliveryVerdict(response, now: time.wallTime())
    switch verdict {
    case .delivered: try await settle(.delivered(mutation, response), entry, resource)
    case .tooLarge, .refused:
      try await settle(.rejected(mutation, reason: verdict.failure ?? ""), entry, resource)
    case .failed(let reason, let retryAfter):
      fail(resource, hasResponse: true, retryAfter: retryAfter)
      changes.send(.delayed(mutation, reason: reason))
    }
  }

  private func settle(
    _ outcome: Outcome, _ entry: MutationLines.Entry, _ resource: String
  ) async throws(QueueFileError) {
    state.withLock { $0.unsettled[entry.sequence] = outcome }
    let change: MutationChange
    switch outcome {
    case .delivered(let mutation, let response):
      try await storage.remove(entry)
      change = .delivered(mutation, response)
    case .rejected(let mutation, let reason):
      try await storage.reject(entry, reason: reason)
      change = .rejected(RejectedMutation(mutation: mutation, reason: reason))
    }
    state.withLock { state in
      state.unsettled[entry.sequence] = nil
      state.lines.finish(resource)
    }
    changes.send(change)
  }

  private func fail(_ resource: String, hasResponse: Bool, retryAfter: Duration?) {
    let (now, chance) = (time.wallTime(), random())
    state.withLock { state in
      state.lines.fail(
        resource, hasResponse: hasResponse, retryAfter: retryAfter, now: now, random: chance)
    }
  }
}
#endif
