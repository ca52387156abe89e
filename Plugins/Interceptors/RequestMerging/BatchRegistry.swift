import Interception
import Synchronization

/// Owns the batches of an interceptor: runs the window and the transfer of each in tasks of their own,
/// cancels them when no request waits for the batch any longer, and then sends the batch that has waited for
/// its end.
final class BatchRegistry: Sendable {
  private typealias Table = BatchTable<ResultContinuation<Response>, Task<Void, Never>>

  private let table = Mutex(Table())
  private let versions = Mutex(VersionHistory())
  private let time: TimeSource

  init(time: TimeSource) { self.time = time }

  /// The number of requests that wait.
  var waitingCount: Int { table.withLock { $0.waitingCount } }
  /// Whether nothing is stored about batches.
  var isEmpty: Bool { table.withLock { $0.isEmpty } }

  /// Returns the response to a request, which joins or opens a batch or is sent by itself.
  func response(
    to request: Request, by rule: MergeRule, at index: Int, next: some Dispatcher
  ) async throws(NetworkError) -> Response {
    let origin = RequestOrigin(request.head)
    let isMultiplexed = versions.withLock { $0.isMultiplexed(origin) }
    guard rule.appliesToMultiplexed || !isMultiplexed,
      let candidate = MergeCandidate(request, by: rule, at: index, origin: origin),
      let place = enter(candidate, rule, next)
    else {
      let response = try await next.dispatch(request)
      record(response, from: origin)
      return response
    }
    return try await waitForResult(
      of: { continuation in
        let known = table.withLock { $0.suspend(place, continuation) }
        if let known { continuation.resume(returning: known) }
      },
      onCancel: { leave(place, request, rule) })
  }

  /// Adds a request to a batch or opens one; nil if the request must be sent by itself.
  private func enter(
    _ candidate: MergeCandidate, _ rule: MergeRule, _ next: some Dispatcher
  ) -> Table.Place? {
    let send: Table.Send = { (request) async throws(NetworkError) in try await next.dispatch(request) }
    var compared: Set<UInt64> = []
    while true {
      switch table.withLock({ $0.enter(candidate, except: compared, by: rule, send: send) }) {
      case .started(let place, nil):
        startWindow(of: place.batch, rule)
        return place
      case .started(let place, let contents?):
        sendNow(contents, rule)
        return place
      case .alone: return nil
      case .candidate(let queue, let first):
        // The loop ends, because the table accepts a bounded number of compared queues.
        compared.insert(queue)
        // Compared without the lock, because values of custom keys have comparisons of their own.
        guard candidate.isCompatible(with: first) else { continue }
        switch table.withLock({ $0.join(candidate, queue, by: rule, send: send) }) {
        case .joined(let place): return place
        case .filled(let place, let contents, let window):
          sendNow(contents, rule, cancelling: window)
          return place
        case .noRoom(let contents, let window): sendNow(contents, rule, cancelling: window)
        case .tooLate: break
        }
      }
    }
  }

  /// Sends a batch at the end of its window; the cancellation of a single request reaches neither the task
  /// that waits nor the one that sends.
  private func startWindow(of batch: UInt64, _ rule: MergeRule) {
    guard case .window(let window) = rule.policy else { return }
    // The task only waits. A request of a higher priority than that of the first one may join meanwhile, and
    // the priority of a running task can't be raised on all supported systems.
    let task = Task(priority: .high) {
      do {
        try await time.sleep(for: window)
      } catch {
        return
      }
      guard let contents = table.withLock({ $0.endWindow(of: batch) }) else { return }
      sendNow(contents, rule)
    }
    let isAwaited = table.withLock { $0.storeWindow(task, of: batch) }
    if !isAwaited { task.cancel() }
  }

  /// Sends a batch in such a task, which has the highest task priority of the batch's requests: neither that
  /// of the batch before nor that of a request that leaves.
  private func sendNow(
    _ contents: Table.Contents, _ rule: MergeRule, cancelling window: Task<Void, Never>? = nil
  ) {
    window?.cancel()
    let task = Task(priority: contents.priority) { await send(contents, rule) }
    let isAwaited = table.withLock { $0.storeTransfer(task, of: contents.batch) }
    if !isAwaited { task.cancel() }
  }

  private func leave(_ place: Table.Place, _ request: Request, _ rule: MergeRule) {
    let departure = table.withLock { table in
      table.leave(place) { wasSent in
        .failure(
          NetworkError(
            .cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: wasSent,
            attempt: request.attempt))
      }
    }
    if let resumption = departure.resumption {
      resumption.continuation.resume(returning: resumption.outcome)
    }
    departure.cancelled?.cancel()
    if let next = departure.next { sendNow(next, rule) }
  }

  private func send(_ contents: Table.Contents, _ rule: MergeRule) async {
    let outcomes = await outcomes(of: contents, rule)
    let (resumptions, next) = table.withLock { $0.finish(contents, outcomes) }
    for (continuation, outcome) in resumptions { continuation.resume(returning: outcome) }
    if let next { sendNow(next, rule) }
  }

  private func outcomes(of contents: Table.Contents, _ rule: MergeRule) async -> [Table.Outcome] {
    let items = contents.entries.map(\.item)
    guard let first = items.first else { return [] }
    do throws(NetworkError) {
      if items.count == 1 {
        let response = try await contents.send(first.request)
        record(response, from: RequestOrigin(first.request.head))
        return [.success(response)]
      }
      let batch = try MergedBatch(items, by: rule)
      let received = try await contents.send(batch.request)
      record(received, from: RequestOrigin(batch.request.head))
      let limit = MergeCandidate.responseLimit(of: first.request)
      let response = try await received.buffered(upTo: limit)
      return batch.outcomes(of: response, try await response.body.collect(upTo: limit))
    } catch {
      return items.map { _ in .failure(error) }
    }
  }

  private func record(_ response: Response, from origin: RequestOrigin) {
    guard let version = response.transport?.version else { return }
    versions.withLock { $0.record(version, of: origin) }
  }
}

/// The HTTP version that each origin was last seen speaking; bounded.
struct VersionHistory: Sendable {
  /// The maximum number of origins; a further one makes room by removing all.
  static let capacity = 256

  private var multiplexed: [RequestOrigin: Bool] = [:]

  /// The number of origins.
  var count: Int { multiplexed.count }

  /// Whether an origin was last seen speaking a version that multiplexes requests over one connection.
  func isMultiplexed(_ origin: RequestOrigin) -> Bool { multiplexed[origin] ?? false }

  /// Records the version of a response.
  mutating func record(_ version: TransportReport.HTTPVersion, of origin: RequestOrigin) {
    if multiplexed.count >= Self.capacity, multiplexed[origin] == nil { multiplexed = [:] }
    multiplexed[origin] = version != .http1
  }
}
