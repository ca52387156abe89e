#if SQLite
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Dispatch
import DurableQueues
import HTTPTypes
import Interception
import ResponseCaching
import Synchronization

/// The connections on which responses are read at the same time, beside the thread that writes.
///
/// A read needs nothing of that thread, unless something that it must see isn't written yet, or a row is
/// damaged: it is then declined, and the store reads on its own thread.
final class ResponseReaders: Sendable {
  /// The number of waiting visits at which the store's thread takes them.
  private static let visitsOfBatch = 64
  /// The maximum number of visits that wait; more are not counted.
  private static let maximumVisits = 1_024

  /// The result of a read.
  enum Result: Sendable {
    case completed(StoreLookup)
    /// The body is in a file, which may take longer than a thread of Swift's pool should block.
    case needsFile
    /// The store's own thread must read.
    case declined
  }

  private struct State {
    /// The database; nil if it isn't open.
    var file: QueueFile?
    /// Whether reads wait for the store's thread.
    var isPaused = false
    var idle: [ReaderConnection] = []
    /// The number of connections, idle or not.
    var count = 0
    /// The number of removals; a read during which it changes is repeated.
    var removals: UInt64 = 0
    /// How many responses wait to be written, by the hashes of their keys.
    var unwritten: [Int64: Int] = [:]
    var hasHiddenRows = false
    var visits: [Int64] = []
  }

  private let state = Mutex(State())
  /// The reads in progress.
  private let reads = DispatchGroup()
  private let maximumCount: Int
  private let bodies: BodyFiles
  private let maximumBytes: Int

  /// Creates readers without connections, for at most as many reads at once as the processor has cores.
  init(bodies: BodyFiles, maximumBytes: Int) {
    self.bodies = bodies
    self.maximumBytes = maximumBytes
    maximumCount = min(max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 2), 8)
  }

  // MARK: Reading

  /// Looks a request up; this blocks the calling thread while the disk is read.
  ///
  /// - Parameters:
  ///   - includesFiles: Whether bodies are also read from files.
  ///   - onVisits: Called if enough visits wait to be taken.
  func lookup(
    _ query: ReaderConnection.Query, includesFiles: Bool, onVisits: () -> Void
  ) -> Result {
    guard let (connection, mark) = begin(query.columns.key) else { return .declined }
    let reading = try? connection.read(
      query, bodies: includesFiles ? bodies : nil, maximumBytes: maximumBytes)
    let (isCurrent, isBatchComplete) = end(connection, since: mark, visited: reading?.newest?.row)
    if isBatchComplete { onVisits() }
    guard isCurrent, let reading, reading.damaged.isEmpty else { return .declined }
    if reading.needsFile { return .needsFile }
    guard let newest = reading.newest else {
      return .completed(reading.hasOthers ? .otherVariants : .nothing)
    }
    return .completed(.found(newest.stored))
  }

  /// Takes a connection; nil if there is none, or if the store's thread must read.
  private func begin(_ hash: Int64) -> (connection: ReaderConnection, mark: UInt64)? {
    enum Taken {
      case idle(ReaderConnection)
      case new(QueueFile)
    }
    let taken: (Taken, mark: UInt64)? = state.withLock { state in
      guard let file = state.file, !state.isPaused, !state.hasHiddenRows,
        state.unwritten.isEmpty || state.unwritten[hash] == nil
      else { return nil }
      if let connection = state.idle.popLast() {
        reads.enter()
        return (.idle(connection), state.removals)
      }
      guard state.count < maximumCount else { return nil }
      state.count += 1
      reads.enter()
      return (.new(file), state.removals)
    }
    switch taken {
    case nil: return nil
    case (.idle(let connection), let mark)?: return (connection, mark)
    case (.new(let file), let mark)?:
      if let connection = try? ReaderConnection(file) { return (connection, mark) }
      // What is counted as in use is not tried again before the database is opened again.
      reads.leave()
      return nil
    }
  }

  /// Gives a connection back; returns whether the read is valid, and whether enough visits wait.
  private func end(
    _ connection: ReaderConnection, since mark: UInt64, visited row: Int64?
  ) -> (isCurrent: Bool, isBatchComplete: Bool) {
    defer { reads.leave() }
    return state.withLock { state in
      if state.file != nil { state.idle.append(connection) } else { connection.close() }
      guard state.removals == mark else { return (false, false) }
      guard let row, state.visits.count < Self.maximumVisits else { return (true, false) }
      state.visits.append(row)
      return (true, state.visits.count == Self.visitsOfBatch)
    }
  }

  // MARK: What the store's thread decides

  /// Begins to read a database.
  func open(_ file: QueueFile) { state.withLock { $0.file = file } }

  /// Closes all connections, and returns when no read is in progress.
  func close() {
    let idle = state.withLock { state in
      state.file = nil
      state.removals &+= 1
      state.count = 0
      state.hasHiddenRows = false
      state.visits = []
      defer { state.idle = [] }
      return state.idle
    }
    for connection in idle { connection.close() }
    reads.wait()
  }

  /// Runs a closure while no read is in progress; others wait for the store's thread.
  func pause<Value>(_ work: () -> Value) -> Value {
    state.withLock { $0.isPaused = true }
    defer { state.withLock { $0.isPaused = false } }
    reads.wait()
    return work()
  }

  /// Records that rows were removed: what was read before is not returned any more.
  func noteRemoval() { state.withLock { $0.removals &+= 1 } }

  /// Records whether the database has rows that count as removed.
  func setHidden(_ isHidden: Bool) { state.withLock { $0.hasHiddenRows = isHidden } }

  /// Returns the rows that were visited since the last call, once for each visit.
  func takeVisits() -> [Int64] {
    state.withLock { state in
      defer { state.visits = [] }
      return state.visits
    }
  }

  // MARK: What waits to be written

  /// Records that the responses for a key will change; reads of it wait for the store's thread.
  func willWrite(_ hash: Int64) { state.withLock { $0.unwritten[hash, default: 0] += 1 } }

  /// Records that a change is written.
  func didWrite(_ hash: Int64) {
    state.withLock { state in
      guard let count = state.unwritten[hash] else { return }
      state.unwritten[hash] = count > 1 ? count - 1 : nil
    }
  }
}
#endif
