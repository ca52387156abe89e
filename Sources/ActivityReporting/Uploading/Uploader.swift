#if SQLite
import DurableQueues
import HTTPTypes
import Interception
import Synchronization

/// Carries out the steps of the plan: forms batches, sends them and stores the outcome.
final class Uploader: Sendable {
  /// The maximum number of bytes of a response, whose content isn't used.
  private static let responseLimit = 1 << 20

  let storage: EventFile
  let signal: WorkSignal
  let waiters = FlushWaiters()
  private let upload: ActivityUpload
  private let dispatcher: any Dispatcher
  private let time: TimeSource
  private let random: @Sendable () -> Double
  private let failure = Mutex<String?>(nil)
  /// A verdict that couldn't be stored, because the disk was full; its batch isn't sent again.
  private let unsettled = Mutex<Verdict?>(nil)

  private struct Verdict: Sendable {
    let batch: EventFile.FormedBatch
    let verdict: DeliveryVerdict
  }

  init(
    _ storage: EventFile, _ upload: ActivityUpload, over dispatcher: any Dispatcher, time: TimeSource,
    random: @escaping @Sendable () -> Double
  ) {
    self.storage = storage
    self.upload = upload
    self.dispatcher = dispatcher
    self.time = time
    self.random = random
    signal = WorkSignal(time: time)
  }

  /// Why the last upload failed; nil after a success.
  var lastFailure: String? { failure.withLock { $0 } }

  /// Wakes the uploader after events were recorded.
  func eventsRecorded() {
    signal.added(isBatchComplete: storage.state.plan.isBatchComplete(upload))
  }

  /// The start of an upload task.
  struct Run: Sendable {
    let number: Int
    let signals: AsyncStream<Void>
  }

  /// Prepares a task that uploads.
  func prepare() -> Run { Run(number: waiters.open(), signals: signal.makeStream()) }

  /// Uploads until the task is cancelled.
  func run(_ run: Run) async {
    var storageBackOff = DeliveryBackOff()
    for await _ in run.signals {
      // An element of an earlier timer must not leave the wait of that time in force.
      signal.wait(for: .none)
      let flushes = waiters.mark
      do throws(QueueFileError) {
        try await uploadAll()
        storageBackOff.succeed()
      } catch {
        failure.withLock { $0 = error.description }
        let now = time.wallTime()
        storageBackOff.fail(retryAfter: nil, now: now, random: random())
        wait(for: .backOff, atMost: storageBackOff.wait(now: now) ?? .zero, failing: flushes)
      }
      if Task.isCancelled { break }
    }
    signal.finish()
    waiters.close(run.number)
  }

  /// Uploads until nothing is left to do at this time.
  private func uploadAll() async throws(QueueFileError) {
    while !Task.isCancelled {
      let flushes = waiters.mark
      waiters.advance(to: storage.state.plan.head)
      switch storage.state.step(upload) {
      case .idle:
        // The last events may have been removed because of the limits. In one look, and not further than it
        // has seen: an event may be recorded and flushed at any time.
        let plan = storage.state.plan
        if plan.waiting.count == 0 { waiters.advance(to: plan.lastSequence) }
        return signal.wait(for: .work)
      case .gather(let duration): return signal.wait(for: .batch, atMost: duration)
      case .backOff(let duration): return wait(for: .backOff, atMost: duration, failing: flushes)
      case .offline: return wait(for: .backOff, failing: flushes)
      case .form(let limits):
        var generator = SystemRandomNumberGenerator()
        let id = RandomIdentifier.next(using: &generator)
        try await storage.file.perform { [storage] database throws(QueueFileError) in
          try storage.form(limits, id: id, in: database)
        }
      case .send(let batch): try await send(batch)
      }
    }
  }

  private func wait(for wait: WorkSignal.Wait, atMost duration: Duration? = nil, failing flushes: UInt64) {
    waiters.fail(through: flushes)
    signal.wait(for: wait, atMost: duration)
  }

  private func send(_ batch: UploadPlan.Batch) async throws(QueueFileError) {
    if let unsettled = unsettled.withLock({ $0 }), unsettled.batch.id == batch.id {
      return try await settle(unsettled)
    }
    let formed = try await storage.file.perform { [storage] database throws(QueueFileError) in
      try storage.read(batch, in: database)
    }
    guard let formed else { return }
    let verdict: DeliveryVerdict
    do throws(NetworkError) {
      verdict = DeliveryVerdict(try await dispatcher.dispatch(request(for: formed)), now: time.wallTime())
    } catch {
      // A log that is stopped sends the same batch when it is started again.
      if Task.isCancelled { return }
      verdict = DeliveryVerdict(error)
    }
    failure.withLock { $0 = verdict.failure }
    let known = Verdict(batch: formed, verdict: verdict)
    unsettled.withLock { $0 = known }
    try await settle(known)
  }

  private func settle(_ known: Verdict) async throws(QueueFileError) {
    let chance = random()
    try await storage.file.perform { [storage, upload] database throws(QueueFileError) in
      try storage.settle(
        known.batch, known.verdict, batchCount: upload.batchCount, random: chance, in: database)
    }
    unsettled.withLock { $0 = nil }
  }

  private func request(for formed: EventFile.FormedBatch) -> Request {
    let batch = ActivityBatch(id: formed.id, events: formed.events, lost: formed.lost)
    var head = upload.request.head
    if head.headerFields[.contentType] == nil { head.headerFields[.contentType] = "application/json" }
    head.headerFields.setIdempotencyKey(batch.id)
    var options = upload.request.options
    options.priority = .low
    options.delivery = .buffered(upTo: Self.responseLimit)
    return Request(
      head, body: .bytes(upload.encode(batch)), options: options, context: upload.request.context)
  }
}
#endif
