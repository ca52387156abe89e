#if SQLite
import Dispatch
import DurableQueues
import GRDB
import Interception
import ResponseCaching

/// The directory of an ``SQLiteResponseStore``: one thread writes, others read.
actor ResponseDirectory {
  /// What is known of a directory that is open.
  struct Contents {
    let file: QueueFile
    var order: ResponseOrder
    /// The number of the next row.
    var nextRow: Int64
    /// The size of the files with bodies.
    var fileBytes = 0
    /// The last row of those that existed at the opening, which are counted gradually.
    let lastFormerRow: Int64
    /// The last of them that is counted.
    var countedThrough: Int64 = 0
    /// The visits of rows that aren't in the database yet.
    var visits: [Int64: Int] = [:]
    /// The rows that count as removed, but couldn't be deleted.
    var hiddenRows: Set<Int64> = []
  }

  private let thread = SerialThread(label: "response store")
  let path: String
  let limits: SQLiteResponseStore.Limits
  let bodies: BodyFiles
  /// What reads beside the thread that writes.
  let readers: ResponseReaders
  let time: TimeSource
  private let onFault: @Sendable (DiskFault) -> Void
  /// Nil before the directory is opened, and if it can't be used.
  var contents: Contents?
  /// Why the directory isn't in use.
  private(set) var fault: DiskFault?

  init(
    _ path: String, limits: SQLiteResponseStore.Limits, time: TimeSource,
    onFault: @escaping @Sendable (DiskFault) -> Void
  ) {
    self.path = path
    self.limits = limits
    self.time = time
    self.onFault = onFault
    bodies = BodyFiles(folder: path + "/bodies")
    readers = ResponseReaders(bodies: bodies, maximumBytes: limits.responseBytes)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Runs a closure after those that were posted before, without waiting for it.
  nonisolated func post(_ work: @escaping @Sendable (isolated ResponseDirectory) -> Void) {
    thread.post { self.assumeIsolated { work($0) } }
  }

  /// Runs a closure after those that were posted before, and returns its result.
  nonisolated func perform<Value: Sendable>(
    _ work: @escaping @Sendable (isolated ResponseDirectory) -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      post { continuation.resume(returning: work($0)) }
    }
  }

  /// The number of responses, and the bytes that they take.
  var usage: (responses: Int, bytes: Int) {
    guard let contents else { return (0, 0) }
    return (contents.order.count, contents.fileBytes + (databaseBytes() ?? 0))
  }

  /// Writes the visits, and ends the use of the directory.
  func close() {
    noteVisits()
    if let file = contents?.file, let visits = contents?.visits, !visits.isEmpty {
      // Without them the next start has an order that is as old as the last stored response.
      _ = try? file.access { database in
        try file.commit(in: database) { try Self.write(visits, in: database) }
      }
    }
    closeFile()
    fault = fault ?? DiskFault(.closed, directory: path)
  }

  /// Closes the database, and returns when no read is in progress.
  ///
  /// The connection that writes is the last one, so that it writes the log back.
  private func closeFile() {
    readers.close()
    contents?.file.close()
    contents = nil
  }

  /// Reports a fault that the store has overcome.
  func report(_ fault: DiskFault) { onFault(fault) }

  /// Ends the use of the directory because of a fault.
  func giveUp(_ fault: DiskFault) {
    closeFile()
    self.fault = fault
    onFault(fault)
  }

  /// Runs a closure in a transaction; nil if it failed, which is reported, and which may have closed or
  /// replaced the database.
  func change<Value>(isDurable: Bool = false, _ work: (Database) throws -> Value) -> Value? {
    guard let file = contents?.file else { return nil }
    do throws(QueueFileError) {
      return try file.access { database in
        guard isDurable else { return try file.commit(in: database) { try work(database) } }
        // Also after a loss of power.
        try database.execute(sql: "PRAGMA synchronous = FULL")
        defer { try? database.execute(sql: "PRAGMA synchronous = NORMAL") }
        return try file.commit(in: database) { try work(database) }
      }
    } catch {
      handle(error)
      return nil
    }
  }

  /// Runs a closure that reads the database; nil if it failed.
  ///
  /// The closure runs at once and on this thread: the connection's own queue, which nothing else uses, is no
  /// more than a lock.
  func read<Value>(_ work: (Database) throws -> Value) -> Value? {
    guard let file = contents?.file else { return nil }
    do throws(QueueFileError) {
      return try file.access { database in try file.check { try work(database) } }
    } catch {
      handle(error)
      return nil
    }
  }

  /// Records that a database can't be read, unless another one is open.
  func noteFailure(_ error: any Error, of file: QueueFile) {
    guard contents?.file === file else { return }
    do throws(QueueFileError) { try file.check { () throws -> Void in throw error } } catch { handle(error) }
  }

  /// Opens the directory again if it was deleted or replaced, before something is written to files that
  /// nothing finds any more.
  func reopenIfDeleted() {
    do throws(QueueFileError) { try contents?.file.checkIdentity() } catch { reopen() }
  }

  private func reopen() {
    closeFile()
    report(DiskFault(.deleted, directory: path))
    open()
  }

  private func handle(_ error: QueueFileError) {
    let fault = DiskFault(error, directory: path)
    switch error.kind {
    case .damaged:
      // The database is marked as damaged; opening moves it away, and reports that.
      closeFile()
      open()
    case .replaced: reopen()
    case .closed, .foreign, .occupied: giveUp(fault)
    case .full, .notWritable, .unusable: report(fault)
    }
  }
}

/// The eviction order of the rows of a database.
struct ResponseOrder: Sendable {
  private var queue: EvictionQueue
  private var rowsBySlot: [Int64] = []
  private var slotsByRow: [Int64: Int] = [:]

  init(capacity: Int, countLimit: Int) {
    queue = EvictionQueue(capacity: capacity, countLimit: countLimit)
  }

  var count: Int { queue.count }
  /// The total size of the rows.
  var size: Int { queue.size }

  /// Adds a row, and returns those that are evicted for it.
  mutating func insert(_ row: Int64, fingerprint: UInt64, size: Int) -> [Int64] {
    let (slot, evicted) = queue.insert(fingerprint: fingerprint, size: size)
    let rows = forget(evicted)
    while rowsBySlot.count <= slot { rowsBySlot.append(0) }
    rowsBySlot[slot] = row
    slotsByRow[row] = slot
    return rows
  }

  /// Evicts rows until others of a size would fit, and returns them.
  mutating func evict(toFit size: Int) -> [Int64] { forget(queue.evict(toFit: size)) }

  /// Records a visit; returns false if it changes nothing, because the row has been visited often enough.
  @discardableResult mutating func touch(_ row: Int64) -> Bool {
    slotsByRow[row].map { queue.touch($0) } ?? true
  }

  /// Removes a row; one that isn't known yet is ignored.
  mutating func remove(_ row: Int64) {
    if let slot = slotsByRow.removeValue(forKey: row) { queue.remove(slot) }
  }

  private mutating func forget(_ slots: [Int]) -> [Int64] {
    slots.map { slot in
      slotsByRow[rowsBySlot[slot]] = nil
      return rowsBySlot[slot]
    }
  }
}

/// The executor of an actor that blocks its thread; closures and the actor's jobs run one after the other, in
/// the order in which they were posted.
final class SerialThread: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  func post(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
#endif
