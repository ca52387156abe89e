#if SQLite
import Dispatch
import DurableQueues
import ResponseCaching
import Synchronization

/// The connections on which responses are read, beside the thread that writes.
final class ResponseReaders: Sendable {
  /// The maximum number of idle connections, each of which has a quarter of a mebibyte of pages.
  private static let maximumIdle = 8
  /// The number of waiting visits at which the store's thread takes them.
  private static let visitsOfBatch = 64
  /// The maximum number of visits that wait; more are not counted.
  private static let maximumVisits = 1_024

  /// The result of a read.
  enum Result {
    /// What was read from a database, and whether the store's thread should take the visits.
    case read(ReaderConnection.Reading, of: QueueFile, isBatchComplete: Bool)
    /// The store's thread has something to do before.
    case later
    /// The database isn't open.
    case closed
    /// The database can't be read.
    case failed(any Error, of: QueueFile)
  }

  private struct State {
    /// The database; nil if it isn't open.
    var file: QueueFile?
    var gate = ReadGate()
    /// The rows that count as removed, but couldn't be deleted.
    var hidden: Set<Int64> = []
    var idle: [ReaderConnection] = []
    var visits: [Int64] = []
  }

  private let state = Mutex(State())
  /// The reads in progress.
  private let reads = DispatchGroup()
  private let bodies: BodyFiles
  private let maximumBytes: Int

  /// Creates readers without a database, for bodies of at most `maximumBytes`.
  init(bodies: BodyFiles, maximumBytes: Int) {
    self.bodies = bodies
    self.maximumBytes = maximumBytes
  }

  /// Reads what is stored for a request; this blocks the calling thread while the disk is read.
  ///
  /// - Parameter isAfterWrites: Whether the caller has waited for what was to be written before, or is the
  ///   store's thread.
  func read(_ query: ReaderConnection.Query, isAfterWrites: Bool) -> Result {
    let (admission, file, idle, hidden) = state.withLock {
      state -> (ReadGate.Admission, QueueFile?, ReaderConnection?, Set<Int64>) in
      let admission = state.gate.admission(
        of: query.columns.key, isOpen: state.file != nil, isAfterWrites: isAfterWrites)
      guard admission == .now else { return (admission, nil, nil, []) }
      reads.enter()
      return (admission, state.file, state.idle.popLast(), state.hidden)
    }
    guard let file else { return admission == .never ? .closed : .later }
    defer { reads.leave() }
    do {
      let connection = try idle ?? ReaderConnection(file)
      let reading = try connection.read(query, except: hidden, bodies: bodies, maximumBytes: maximumBytes)
      let isVisit = query.purpose != .comparison && reading.damaged.isEmpty
      let isBatchComplete = giveBack(connection, of: file, visited: isVisit ? reading.newest?.row : nil)
      return .read(reading, of: file, isBatchComplete: isBatchComplete)
    } catch {
      // The next read begins with another connection.
      idle?.close()
      return .failed(error, of: file)
    }
  }

  /// Gives a connection back; returns whether enough visits wait.
  private func giveBack(_ connection: ReaderConnection, of file: QueueFile, visited row: Int64?) -> Bool {
    state.withLock { state in
      guard state.file === file, state.idle.count < Self.maximumIdle else {
        connection.close()
        return false
      }
      state.idle.append(connection)
      guard let row, state.visits.count < Self.maximumVisits else { return false }
      state.visits.append(row)
      return state.visits.count == Self.visitsOfBatch
    }
  }

  // MARK: What the store's thread decides

  /// Begins to read a database.
  func open(_ file: QueueFile, _ connection: ReaderConnection?) {
    state.withLock { state in
      state.file = file
      if let connection { state.idle.append(connection) }
    }
  }

  /// Closes all connections, and returns when no read is in progress.
  func close() {
    let idle = state.withLock { state in
      state.file = nil
      state.hidden = []
      state.visits = []
      defer { state.idle = [] }
      return state.idle
    }
    for connection in idle { connection.close() }
    reads.wait()
  }

  /// Runs a closure while no read is in progress; others wait for the store's thread.
  func pause<Value>(_ work: () -> Value) -> Value {
    state.withLock { $0.gate.isPaused = true }
    defer { state.withLock { $0.gate.isPaused = false } }
    reads.wait()
    return work()
  }

  /// Records which rows count as removed, although the database has them.
  func setHidden(_ rows: Set<Int64>) { state.withLock { $0.hidden = rows } }

  /// Returns the rows that were visited since the last call, once for each visit.
  func takeVisits() -> [Int64] {
    state.withLock { state in
      defer { state.visits = [] }
      return state.visits
    }
  }

  // MARK: What waits to be written

  /// Records that the responses for a key will change; reads of it wait for the store's thread.
  func willWrite(_ hash: Int64) { state.withLock { $0.gate.willWrite(hash) } }

  /// Records that a change is written.
  func didWrite(_ hash: Int64) { state.withLock { $0.gate.didWrite(hash) } }
}

/// Decides when a response may be read.
struct ReadGate {
  /// When a response may be read.
  enum Admission {
    case now
    /// When the store's thread has done what was posted before.
    case later
    case never
  }

  /// Whether reads wait for the store's thread.
  var isPaused = false
  /// How many responses wait to be written, by the hashes of their keys.
  private var unwritten: [Int64: Int] = [:]

  /// Returns when the responses for a key may be read.
  ///
  /// A read that has waited sees whatever was stored before it began, although others wait to be written now.
  func admission(of hash: Int64, isOpen: Bool, isAfterWrites: Bool) -> Admission {
    guard isOpen else { return isAfterWrites ? .never : .later }
    let isWritten = isAfterWrites || unwritten.isEmpty || unwritten[hash] == nil
    return isWritten && !isPaused ? .now : .later
  }

  mutating func willWrite(_ hash: Int64) { unwritten[hash, default: 0] += 1 }

  mutating func didWrite(_ hash: Int64) {
    guard let count = unwritten[hash] else { return }
    unwritten[hash] = count > 1 ? count - 1 : nil
  }
}
#endif
