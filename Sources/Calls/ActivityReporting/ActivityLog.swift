// For QueueError, and for what the compiler says without the trait.
@_exported public import DurableQueues

#if SQLite
public import Interception

/// Records the actions of the user durably, and uploads them in batches.
///
/// Use it for events that must reach a server even if the app is killed, the device is offline or the server
/// is down: actions of the user, measurements, audit records. To debug requests, use `LoggingInterceptor`.
/// For requests that change something on the server, use `MutationQueue`.
///
/// ```swift
/// let upload = ActivityUpload(
///   Request(method: .post, authority: "log.example.com", path: "/activity"))
/// let log = try ActivityLog(
///   path: "/var/lib/estate/activity.sqlite", uploading: upload, over: pipeline
/// ) { account.id }
/// log.start()
/// try await log.record("listing.opened", ["listing": "42"])
/// ```
///
/// Once ``record(_:)`` has returned, its event survives the end of the process, even by SIGKILL. Each time
/// the process is killed, at most one batch is sent twice. The repeat has the same ID, so that the server can
/// drop it. An event is uploaded after every event of its account that was recorded before it.
///
/// An event belongs to the account that uses the app when it is recorded, or to none. It is uploaded only
/// while that account uses the app, with the account as the request's `RequestContext.partition`. A batch has
/// the events of one account. The events of other accounts keep their places and do not delay it.
///
/// Uploads use a pipeline of their own: without an activity log, because an upload would record events, and
/// without a cache. Compression, signing and authorization are interceptors of it.
public final class ActivityLog: Sendable {
  /// What ``ActivityLog/record(_:)`` waits for.
  package enum Durability: Sendable, Hashable {
    /// The operating system has the event: it survives the end of the process. A loss of power may lose the
    /// last events, but doesn't damage the file. SQLite's `synchronous = NORMAL` with a write-ahead log.
    case processKill
    /// The disk has the event: it survives a loss of power too, at the price of an `fsync` for each
    /// transaction. `synchronous = FULL`.
    case powerLoss
  }

  /// A part of the stored events.
  public enum Part: Sendable, Hashable {
    /// Those that wait to be uploaded, or are being uploaded.
    case waiting
    /// Those that the server has refused, and damaged ones.
    case setAside
  }

  let storage: EventFile
  private let commits: CommitQueue
  let uploader: Uploader
  private let limits: ActivityLimits
  private let task = DeliveryTask()

  /// Opens a log, and creates its file if it doesn't exist; this blocks the calling thread.
  ///
  /// A damaged file is renamed, see ``damagedFile``, and the events that can still be read are kept. Nothing
  /// is uploaded until ``start()``.
  ///
  /// - Parameters:
  ///   - path: The file, on a local disk; two more are created beside it.
  ///   - upload: How and when events are uploaded.
  ///   - dispatcher: The pipeline of the uploads.
  ///   - survivesPowerLoss: Whether `record` waits until the event is on the disk, so that it survives a loss
  ///     of power too, and not only the end of the process.
  ///   - account: Returns the account that uses the app, as `APIClient` has it in its `account`; an empty
  ///     string for no account. In an app without accounts, and for a pipeline that adds no account's
  ///     credentials if the server needn't know whose events they are, it always returns an empty string.
  ///     Call ``accountDidChange()`` when it returns another one.
  /// - Throws: `QueueError` of kind `.file(.occupied)` if another log has the file open, or the
  ///   failure of the file.
  public convenience init(
    path: String, uploading upload: ActivityUpload, over dispatcher: any Dispatcher,
    limits: ActivityLimits = ActivityLimits(), survivesPowerLoss: Bool = false,
    time: TimeSource = .system, account: @escaping @Sendable () -> String
  ) throws(QueueError) {
    try self.init(
      path: path, uploading: upload, over: dispatcher, limits: limits,
      durability: survivesPowerLoss ? .powerLoss : .processKill, maximumPages: nil, time: time,
      random: { .random(in: 0..<1) }, account: account)
  }

  /// Opens a log whose file is limited to a number of pages of 4 KiB, with chosen random numbers, and with a
  /// chosen executor of the accesses to its file.
  package init(
    path: String, uploading upload: ActivityUpload, over dispatcher: any Dispatcher, limits: ActivityLimits,
    durability: Durability, maximumPages: Int?, time: TimeSource, random: @escaping @Sendable () -> Double,
    executor: QueueFile.Executor? = nil, account: @escaping @Sendable () -> String
  ) throws(QueueError) {
    do throws(QueueFileError) {
      storage = try EventFile(
        path: path, limits: limits, synchronizesCommits: durability == .powerLoss, maximumPages: maximumPages,
        account: account(), time: time, executor: executor)
    } catch { throw QueueError(error) }
    self.limits = limits
    let uploader = Uploader(storage, upload, over: dispatcher, time: time, random: random, account: account)
    self.uploader = uploader
    commits = CommitQueue(storage) { uploader.eventsRecorded() }
  }

  /// The path that a damaged file was moved to when the log was opened; nil if there was none.
  public var damagedFile: String? { storage.file.damagedFile }

  /// Begins to upload, first of all what an earlier process has left; does nothing if it has begun.
  public func start() {
    task.start(priority: .background, preparing: uploader.prepare) { [uploader] in await uploader.run($0) }
  }

  /// Stops uploading, and returns when it has stopped; an upload in flight is cancelled and sent again later.
  ///
  /// Events can still be recorded.
  public func stop() async { await task.stop() }

  /// Stops uploading and closes the file; nothing can be recorded afterwards.
  public func close() async {
    await stop()
    await storage.file.finish()
  }

  /// Reports whether there is a network.
  ///
  /// Without one, nothing is uploaded. When it returns, the wait after a failed upload ends, unless the
  /// server has asked for it by `Retry-After`.
  ///
  /// Until the first report, the log assumes a network. Events can be recorded in any case.
  public func networkDidChange(isAvailable: Bool) {
    storage.state.setNetwork(available: isAvailable)
    if isAvailable { uploader.signal.wake() }
  }

  /// Uploads the events of the account that uses the app now.
  ///
  /// Call it before and after the credentials are replaced.
  ///
  /// An upload in flight on behalf of another account is cancelled, and sent again with its ID when the
  /// account is back.
  public func accountDidChange() { uploader.accountDidChange() }

  /// Stores an event, and returns when the event survives the end of the process.
  ///
  /// The event belongs to the account that uses the app at the call. Concurrent calls share a transaction.
  /// Cancelling the task has no effect.
  ///
  /// - Throws: `QueueError`; the event was not stored.
  public func record(_ event: ActivityEvent) async throws(QueueError) {
    let account = uploader.account()
    // SQLite's texts end at a null byte: the event would belong to the account whose name is before it.
    guard !account.utf8.contains(0) else {
      throw QueueError(
        .invalid,
        "The account that the log's closure returns has a null byte, which can't be stored; name it otherwise."
      )
    }
    let record = event.record
    guard record.count <= limits.eventBytes else {
      throw QueueError(
        .tooLarge,
        "The event \"\(event.name.prefix(100))\" has \(record.count) bytes of at most \(limits.eventBytes); "
          + "shorten its attributes, or raise the limit.")
    }
    try await commits.append(StoredEvent(record: record, account: account))
  }

  /// Stores an event with the current time.
  public func record(
    _ name: String, _ attributes: [String: ActivityEvent.Value] = [:]
  ) async throws(QueueError) {
    try await record(ActivityEvent(name, attributes, time: storage.state.time.wallTime()))
  }

  /// Uploads all events of the account that uses the app, without waiting for a full batch, and returns when
  /// none of them waits.
  ///
  /// The wait after a failed upload ends, unless the server has asked for it by `Retry-After`;
  /// ``ActivityStats/lastFailure`` and ``ActivityStats/nextUpload`` say why and how long the log waits.
  ///
  /// - Returns: Whether all events were delivered, set aside, purged or removed by a limit. False if the log
  ///   isn't started, there is no network, the task is cancelled, an upload fails, the account changes, or
  ///   the server has asked for a wait. The events are then kept and uploaded later.
  @discardableResult
  public func flush() async -> Bool {
    let account = uploader.account()
    let target = storage.state.drain()
    return await uploader.waiters.wait(for: target, of: account) { uploader.signal.wake() }
  }
}

/// How and when a log uploads its events.
///
/// ```swift
/// let upload = ActivityUpload(
///   Request(method: .post, authority: "log.example.com", path: "/activity"), batchCount: 50)
/// ```
public struct ActivityUpload: Sendable {
  /// The request of each upload, without its body; its priority is set to `.low`.
  ///
  /// The log adds `Content-Type`, `application/json` unless it is set; `Idempotency-Key`, the batch's ID; and
  /// `Date`, the time of the attempt by this device's clock. A server compares `Date` with its own clock to
  /// correct the times of the events. A repeated batch has the same bytes and another `Date`. The account
  /// replaces the partition of the request's context.
  package var request: Request
  /// The number of waiting events at which a batch is uploaded, and the maximum of a batch; 30 by default.
  package var batchCount: Int
  /// The number of bytes of the waiting events at which a batch is uploaded, and the maximum of a batch with
  /// more than one event, before encoding; 512 KiB by default.
  package var batchBytes: Int
  /// The time after which fewer events are uploaded too; 60 s by default.
  package var interval: Duration
  /// Encodes a batch; as JSON by default, see ``ActivityBatch/json``.
  ///
  /// It must return the same bytes for the same batch. Compression is the pipeline's part.
  package var encode: @Sendable (ActivityBatch) -> [UInt8]

  /// Creates an upload.
  public init(
    _ request: Request, batchCount: Int = 30, batchBytes: Int = 512 << 10, interval: Duration = .seconds(60),
    encode: @escaping @Sendable (ActivityBatch) -> [UInt8] = \.json
  ) {
    self.request = request
    self.batchCount = min(max(batchCount, 1), Self.maximumBatchCount)
    self.batchBytes = max(batchBytes, 1)
    self.interval = max(interval, .zero)
    self.encode = encode
  }

  /// A batch is held in memory while it is uploaded.
  static let maximumBatchCount = 10_000
}

#endif
