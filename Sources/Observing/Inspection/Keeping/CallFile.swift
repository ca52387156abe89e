#if SQLite
import DurableQueues
import GRDB
import Interception
import Synchronization

/// Keeps the calls of an inspector in an SQLite file, which has one owner at a time.
///
/// Calls are written in batches on the thread of the file's connection, where they are also redacted.
final class CallFile: CallKeeper {
  /// The time between the end of a call and its being written, with all that end meanwhile.
  private static let delay = Duration.milliseconds(250)
  static let pageSize = 4_096
  /// The minimum size of a file, in which a few calls have room.
  private static let minimumBytes = 64 * pageSize
  /// Numbers above it would not be exact in the page's script.
  static let greatestID = 1 << 52

  static let format = QueueFile.Format(
    applicationID: 0x5359_4943,
    schema: """
      CREATE TABLE call (
        sequence INTEGER PRIMARY KEY, summary BLOB NOT NULL, detail BLOB NOT NULL, entries BLOB NOT NULL
      );
      """, canShrink: true)

  let file: QueueFile
  let lastEarlierID: Int
  let byteLimit: Int
  private let app: String
  private let shown: ShownText
  private let time: TimeSource
  private let pending: Mutex<PendingCalls<RecordedCall>>
  private let shared: Mutex<KeptStatus>
  /// Called when the page has something new to show of the file.
  private let noteChange: @Sendable () -> Void

  /// Opens a file, or creates it; this blocks the calling thread.
  ///
  /// - Parameter pendingLimits: The maximum number and size of the calls that wait to be written.
  init(
    _ path: String, byteLimit: Int, app: String, shown: ShownText, time: TimeSource,
    pendingLimits: (count: Int, bytes: Int) = (4_096, 4 << 20), noteChange: @escaping @Sendable () -> Void
  ) throws(InspectorError) {
    let limit = max(byteLimit, Self.minimumBytes)
    let opened: (file: QueueFile, state: (last: Int, count: Int, bytes: Int))
    do throws(QueueFileError) {
      opened = try QueueFile.open(
        path, format: Self.format, synchronizesCommits: false, maximumPages: limit / Self.pageSize,
        now: time.wallTime(), salvage: { try Self.salvage($0) }
      ) { try Self.load($0, byteLimit: limit) }
    } catch { throw InspectorError(error, path: path) }
    file = opened.file
    lastEarlierID = opened.state.last
    self.byteLimit = limit
    (self.app, self.shown, self.time, self.noteChange) = (app, shown, time, noteChange)
    pending = Mutex(PendingCalls(countLimit: pendingLimits.count, byteLimit: pendingLimits.bytes))
    shared = Mutex(
      KeptStatus(
        earlierCount: opened.state.count, byteCount: opened.state.bytes, byteLimit: limit))
    file.removeFormerDamagedFiles()
  }

  /// The path that a damaged file was moved to when this one was opened; nil if there was none.
  var damagedFile: String? { file.damagedFile }

  var status: KeptStatus {
    var status = shared.withLock { $0 }
    status.droppedCount = pending.withLock { $0.droppedCount }
    return status
  }

  // MARK: Writing

  func keep(_ call: RecordedCall) {
    guard !call.isPending.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let byteCount = call.byteCount
    switch pending.withLock({ $0.add(call, byteCount: byteCount) }) {
    case .further: break
    case .dropped: call.isPending.store(false, ordering: .releasing)
    case .first:
      Task(priority: .utility) { [weak self, time] in
        try? await time.sleep(for: Self.delay)
        self?.scheduleWrite()
      }
    }
  }

  func flush() async { _ = try? await file.perform { self.writePending(in: $0) } }

  func finish() {
    file.schedule { database in
      self.writePending(in: database)
      self.pending.withLock { $0.close() }
    }
  }

  func close() async {
    await flush()
    pending.withLock { $0.close() }
    await file.finish()
  }

  func removeAll() {
    let waiting = pending.withLock { $0.takeAll() }
    for call in waiting { call.isPending.store(false, ordering: .releasing) }
    shared.withLock { $0.earlierCount = 0 }
    file.schedule { database in
      self.attempt(isWrite: true) { () throws(QueueFileError) in
        try self.file.commit(in: database) { try database.execute(sql: "DELETE FROM call") }
        // What was removed also leaves the file.
        _ = try self.file.check { try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum") }
      }
      self.noteSize(in: database)
    }
  }

  private func scheduleWrite() { file.schedule { [weak self] in self?.writePending(in: $0) } }

  private func writePending(in database: Database) {
    let calls = pending.withLock { $0.takeAll() }
    guard !calls.isEmpty else { return }
    // A change from now on is written again.
    for call in calls { call.isPending.store(false, ordering: .releasing) }
    var outcome = (evicted: 0, dropped: 0)
    let isWritten = attempt(isWrite: true) { () throws(QueueFileError) in
      try file.commit(in: database) {
        // The calls may have been removed since they were added; a removal from now on is executed later.
        for call in calls where !call.isForgotten {
          let kept = KeptCall(call.current, app: app, shown: shown)
          guard let evicted = try insert(kept, in: database) else {
            outcome.dropped += 1
            continue
          }
          outcome.evicted += evicted
        }
      }
    }
    if !isWritten { outcome = (0, calls.count) }
    pending.withLock { $0.noteDropped(outcome.dropped) }
    shared.withLock { $0.earlierCount = max(0, $0.earlierCount - outcome.evicted) }
    noteSize(in: database)
  }

  /// Runs a closure that uses the file, and notes whether it failed; only a write shows that a fault is over.
  @discardableResult
  func attempt(isWrite: Bool, _ work: () throws(QueueFileError) -> Void) -> Bool {
    do throws(QueueFileError) {
      try work()
      if isWrite, !pending.withLock({ $0.isClosed }) { note(nil) }
      return true
    } catch {
      // These do not pass, whatever is written next.
      switch error.kind {
      case .damaged, .replaced, .closed, .foreign: pending.withLock { $0.close() }
      case .full, .notWritable, .occupied, .unusable: break
      }
      note(InspectorError(error, path: file.path))
      return false
    }
  }

  private func note(_ fault: InspectorError?) {
    let isNews = shared.withLock { status in
      defer { status.fault = fault?.description }
      return status.fault != fault?.description
    }
    if isNews { noteChange() }
  }

  private func noteSize(in database: Database) {
    guard let byteCount = try? Self.usedBytes(of: database) else { return }
    shared.withLock { $0.byteCount = byteCount }
  }
}

extension InspectorError {
  /// Creates the error of the file for calls.
  init(_ error: QueueFileError, path: String) {
    let fault: FileFault =
      switch error.kind {
      case .occupied: .inUse
      case .foreign: .foreign
      case .notWritable: .notWritable
      case .full: .full
      case .damaged: .damaged
      case .replaced: .replaced
      case .closed, .unusable: .unusable
      }
    self.init(.file(path, fault))
  }
}
#endif
