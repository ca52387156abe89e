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
  /// Returns the account that uses the app.
  let account: @Sendable () -> String
  private let upload: ActivityUpload
  private let dispatcher: any Dispatcher
  private let time: TimeSource
  private let random: @Sendable () -> Double
  private let failure = Mutex<String?>(nil)
  /// Verdicts that couldn't be stored, because the disk was full; their batches aren't sent again.
  private let unsettled = Mutex<[String: Verdict]>([:])
  /// The upload in flight, which ends when another account uses the app.
  private let sending = Mutex<Sending?>(nil)

  private struct Sending: Sendable {
    let account: String
    let task: Task<Result<Response, NetworkError>, Never>
  }

  private struct Verdict: Sendable {
    let batch: EventFile.FormedBatch
    let verdict: DeliveryVerdict
  }

  init(
    _ storage: EventFile, _ upload: ActivityUpload, over dispatcher: any Dispatcher, time: TimeSource,
    random: @escaping @Sendable () -> Double, account: @escaping @Sendable () -> String
  ) {
    self.storage = storage
    self.upload = upload
    self.dispatcher = dispatcher
    self.time = time
    self.random = random
    self.account = account
    signal = WorkSignal(time: time)
  }

  /// Why the last upload failed; nil after a success.
  var lastFailure: String? { failure.withLock { $0 } }

  /// Wakes the uploader after events were recorded.
  func eventsRecorded() {
    signal.added(isBatchComplete: storage.state.plan.of(account()).isBatchComplete(upload))
  }

  /// Ends the upload of another account, which is repeated when its account is back, and looks for the events
  /// of the present one.
  func accountDidChange() {
    let current = account()
    let task = sending.withLock { $0?.account == current ? nil : $0?.task }
    task?.cancel()
    signal.wake()
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
      let account = account()
      let step = storage.state.step(upload, for: account)
      // Their events wait for the account to come back.
      waiters.fail(exceptOf: account)
      waiters.advance(to: storage.state.plan.of(account).head, of: account)
      switch step {
      case .idle:
        // The last events may have been removed because of the limits. In one look, and not further than it
        // has seen: an event may be recorded and flushed at any time.
        let plan = storage.state.plan.of(account)
        if plan.waiting.count == 0 { waiters.advance(to: plan.lastSequence, of: account) }
        return signal.wait(for: .work)
      case .gather(let duration): return signal.wait(for: .batch, atMost: duration)
      case .backOff(let duration): return wait(for: .backOff, atMost: duration, failing: flushes)
      case .offline: return wait(for: .backOff, failing: flushes)
      case .form(let limits):
        var generator = SystemRandomNumberGenerator()
        let id = RandomIdentifier.next(using: &generator)
        try await storage.file.perform { [storage] database throws(QueueFileError) in
          try storage.form(limits, of: account, id: id, in: database)
        }
      case .send(let batch): try await send(batch, of: account)
      }
    }
  }

  private func wait(for wait: WorkSignal.Wait, atMost duration: Duration? = nil, failing flushes: UInt64) {
    waiters.fail(through: flushes)
    signal.wait(for: wait, atMost: duration)
  }

  private func send(_ batch: UploadPlan.Batch, of account: String) async throws(QueueFileError) {
    if let unsettled = unsettled.withLock({ $0[batch.id] }) { return try await settle(unsettled) }
    let formed = try await storage.file.perform { [storage] database throws(QueueFileError) in
      try storage.read(batch, of: account, in: database)
    }
    guard let formed else { return }
    let request = request(for: formed)
    let verdict: DeliveryVerdict
    if let foreign = foreignCredentials(of: request) {
      verdict = .failed(reason: foreign, retryAfter: nil)
    } else {
      // A log that is stopped, or whose account isn't the app's any more, sends the same batch again later.
      guard let known = await self.verdict(of: request, for: account) else { return }
      verdict = known
    }
    failure.withLock { $0 = verdict.failure }
    let known = Verdict(batch: formed, verdict: verdict)
    unsettled.withLock { $0[batch.id] = known }
    try await settle(known)
  }

  /// Sends a request; returns nil if another account uses the app, or the log was stopped.
  private func verdict(of request: Request, for account: String) async -> DeliveryVerdict? {
    guard self.account() == account else { return nil }
    let task = Task { [dispatcher] () -> Result<Response, NetworkError> in
      do throws(NetworkError) { return .success(try await dispatcher.dispatch(request)) } catch {
        return .failure(error)
      }
    }
    sending.withLock { $0 = Sending(account: account, task: task) }
    defer { sending.withLock { $0 = nil } }
    // The account may have changed before the task could be found and cancelled.
    if self.account() != account { task.cancel() }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    switch result {
    // A response is valid also if it came at the same time as the cancellation.
    case .success(let response): return DeliveryVerdict(response, now: time.wallTime())
    case .failure(let error): return task.isCancelled ? nil : DeliveryVerdict(error)
    }
  }

  /// Returns why events of no account can't be sent: the pipeline would add the credentials of an account.
  private func foreignCredentials(of request: Request) -> String? {
    guard request.context.partition.isEmpty else { return nil }
    let identified = request.identified(over: dispatcher)
    guard identified.identity?.isLasting == true, !identified.context.partition.isEmpty else { return nil }
    return "credentials of an account"
  }

  private func settle(_ known: Verdict) async throws(QueueFileError) {
    let chance = random()
    try await storage.file.perform { [storage, upload] database throws(QueueFileError) in
      try storage.settle(
        known.batch, known.verdict, batchCount: upload.batchCount, random: chance, in: database)
    }
    unsettled.withLock { $0[known.batch.id] = nil }
  }

  private func request(for formed: EventFile.FormedBatch) -> Request {
    let batch = ActivityBatch(id: formed.id, events: formed.events, lost: formed.lost)
    var head = upload.request.head
    if head.headerFields[.contentType] == nil { head.headerFields[.contentType] = "application/json" }
    head.headerFields.setIdempotencyKey(batch.id)
    head.headerFields[.date] = HTTPDate.format(time.wallTime())
    var options = upload.request.options
    options.priority = .low
    options.delivery = .buffered(upTo: Self.responseLimit)
    var request = Request(
      head, body: .bytes(upload.encode(batch)), options: options, context: upload.request.context)
    request.context.partition = formed.account
    // A retry within the pipeline leaves later.
    let departure = Request.Departure { [time] in
      $0.head.headerFields[.date] = HTTPDate.format(time.wallTime())
    }
    return request.deferring(departure, by: "ActivityLog")
  }
}
#endif
