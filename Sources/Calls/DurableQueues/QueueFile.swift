#if SQLite
package import GRDB
package import Interception

/// A queue's SQLite file, which has one owner at a time.
///
/// All accesses run one after the other on the thread of the connection. A transaction that has returned
/// survives the end of the process, because the operating system has its bytes.
package final class QueueFile: Sendable {
  /// What distinguishes the file of one kind of queue.
  package struct Format: Sendable {
    /// The number in the file's header that says what kind of queue it is.
    package var applicationID: Int32
    /// The statements that create the tables of a new file.
    package var schema: String
    /// The version of the tables, stored in the file; a file of a higher one is refused.
    package var version: Int32
    /// Changes the tables of a file of a lower version, in a transaction; nil to use it as it is.
    package var upgrade: (@Sendable (Database) throws -> Void)?
    /// Whether free pages can be given back to the system by `PRAGMA incremental_vacuum`.
    package var canShrink: Bool
    /// Whether the owner reads the file by connections of its own, too.
    package var hasReaders: Bool

    /// Creates a format.
    package init(
      applicationID: Int32, schema: String, version: Int32 = 1,
      upgrade: (@Sendable (Database) throws -> Void)? = { _ in }, canShrink: Bool = false,
      hasReaders: Bool = false
    ) {
      self.version = version
      self.upgrade = upgrade
      self.hasReaders = hasReaders
      self.applicationID = applicationID
      self.schema = schema
      self.canShrink = canShrink
    }
  }

  /// Runs closures one after the other, in the order of its calls, in place of the connection's thread.
  ///
  /// For simulations, which decide when the disk works and have one thread.
  package typealias Executor = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  private let paths: FilePaths
  private let identity: FileIdentity?
  private let connection: DatabaseQueue
  private let executor: Executor?
  // Declared after the connection, so that it is released after it.
  private let lock: FileLock
  /// The path that a damaged file was moved to when this one was opened; nil if there was none.
  package let damagedFile: String?

  /// The path of the file.
  package var path: String { paths.database }

  private init(
    _ paths: FilePaths, _ connection: DatabaseQueue, _ identity: FileIdentity?, _ lock: FileLock,
    damagedFile: String?, executor: Executor?
  ) {
    self.paths = paths
    self.executor = executor
    self.connection = connection
    self.lock = lock
    self.damagedFile = damagedFile
    self.identity = identity
  }

  /// Opens a file, or creates it; this blocks the calling thread.
  ///
  /// A damaged file is renamed, and a new one is created, with what could be salvaged.
  ///
  /// - Parameters:
  ///   - synchronizesCommits: Whether a transaction returns only when it is on the disk, so that it also
  ///     survives a loss of power. Otherwise a loss of power may lose the last transactions, but does not
  ///     damage the file.
  ///   - maximumPages: The maximum number of 4 KiB pages; nil for no limit.
  ///   - executor: Runs the accesses; nil for the connection's thread.
  ///   - salvage: Copies what can be read from a damaged file to the new one; nil to begin with an empty one.
  ///   - load: Reads the state; it throws `RecordDamage` if it can't be read.
  package static func open<State>(
    _ path: String, format: Format, synchronizesCommits: Bool, maximumPages: Int? = nil, now: WallTime,
    executor: Executor? = nil, salvage: ((Salvage) throws -> Void)? = nil, load: (Database) throws -> State
  ) throws(QueueFileError) -> (file: QueueFile, state: State) {
    do throws(NULFault) { try path.checkWhole(as: "The path of the queue file") } catch {
      throw QueueFileError(error)
    }
    let paths = FilePaths(database: path)
    let lock = try FileLock(paths.lock, for: path)
    func connect() throws(QueueFileError) -> (DatabaseQueue, FileIdentity?, State) {
      do {
        let (connection, ownership) = try openOwn(path)
        let state = try connection.writeWithoutTransaction { database in
          try prepare(database, format, path, synchronizesCommits, maximumPages)
          return try load(database)
        }
        return (connection, try ownership.ofOpened(), state)
      } catch { throw QueueFileError(error, path: path) }
    }
    func replace() throws(QueueFileError) -> String {
      paths.deleteReplacement()
      // After a kill before the renaming this starts again, and after it the replacement is complete.
      if let salvage { try Self.salvage(paths, format, salvage) }
      let damagedFile = try paths.setAside(at: now.seconds)
      try paths.installReplacement()
      return damagedFile
    }
    try paths.installReplacement()
    var damagedFile: String?
    if paths.isMarkedAsDamaged { damagedFile = try replace() }
    do throws(QueueFileError) {
      let (connection, identity, state) = try connect()
      return (
        QueueFile(paths, connection, identity, lock, damagedFile: damagedFile, executor: executor), state
      )
    } catch {
      guard error.kind == .damaged else { throw error }
    }
    damagedFile = try replace()
    let (connection, identity, state) = try connect()
    return (QueueFile(paths, connection, identity, lock, damagedFile: damagedFile, executor: executor), state)
  }

  /// Opens a database that is the process's own; nothing is written before that is known.
  ///
  /// SQLite opens the files beside it with the first statement, so the ownership is checked again after that.
  private static func openOwn(_ path: String) throws -> (DatabaseQueue, DatabaseOwnership) {
    let ownership = try DatabaseOwnership(of: path)
    let connection = try DatabaseQueue(path: path)
    _ = try ownership.ofOpened()
    return (connection, ownership)
  }

  private static func prepare(
    _ database: Database, _ format: Format, _ path: String, _ synchronizesCommits: Bool, _ maximumPages: Int?
  ) throws {
    // One connection needs no shared memory beside the file.
    if !format.hasReaders { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    let isNew = tables == 0 && owner == 0
    guard isNew || owner == format.applicationID && version <= format.version else {
      throw QueueFileError(.foreign, path: path)
    }
    // It has an effect only before the first page is written.
    if isNew, format.canShrink { try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
    try database.execute(sql: "PRAGMA journal_mode = WAL")
    try database.execute(sql: "PRAGMA synchronous = \(synchronizesCommits ? "FULL" : "NORMAL")")
    if let maximumPages { try database.execute(sql: "PRAGMA max_page_count = \(maximumPages)") }
    guard isNew || version < format.version && format.upgrade != nil else { return }
    try database.inTransaction(.immediate) {
      if isNew {
        try createTables(database, format)
      } else {
        try format.upgrade?(database)
        try database.execute(sql: "PRAGMA user_version = \(format.version)")
      }
      return .commit
    }
  }

  private static func createTables(_ database: Database, _ format: Format) throws {
    try database.execute(sql: format.schema)
    try database.execute(
      sql: "PRAGMA application_id = \(format.applicationID); PRAGMA user_version = \(format.version)")
  }

  /// Writes the replacement of a damaged file, unless that is not even a database.
  private static func salvage(
    _ paths: FilePaths, _ format: Format, _ work: (Salvage) throws -> Void
  ) throws(QueueFileError) {
    do { try writeReplacement(paths, format, work) } catch {
      paths.deleteReplacement()
      let error = QueueFileError(error, path: paths.database)
      switch error.kind {
      // Nothing is given up for what may be over at the next start, such as a planted file that is removed.
      case .occupied, .full, .notWritable, .foreign: throw error
      case .damaged, .replaced, .closed, .unusable: break
      }
    }
  }

  private static func writeReplacement(
    _ paths: FilePaths, _ format: Format, _ work: (Salvage) throws -> Void
  ) throws {
    let (damaged, source) = try openOwn(paths.database)
    let (intact, target) = try openOwn(paths.replacement)
    try damaged.writeWithoutTransaction { damaged in
      try damaged.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cell_size_check = ON")
      guard try Int32.fetchOne(damaged, sql: "PRAGMA application_id") == format.applicationID else {
        throw RecordDamage()
      }
      try intact.writeWithoutTransaction { intact in
        if format.canShrink { try intact.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
        try intact.execute(sql: "PRAGMA synchronous = FULL")
        try intact.inTransaction(.immediate) {
          try createTables(intact, format)
          _ = try (source.ofOpened(), target.ofOpened())
          try work(Salvage(damaged: damaged, intact: intact))
          return .commit
        }
      }
    }
    try intact.close()
    try damaged.close()
  }

  /// Calls a closure on the connection's thread, after those that were scheduled before.
  package func schedule(_ work: @escaping @Sendable (Database) -> Void) {
    guard let executor else { return connection.asyncWriteWithoutTransaction(work) }
    executor { [connection] in connection.writeWithoutTransaction(work) }
  }

  /// Runs a closure after those that were scheduled before; this blocks the calling thread.
  package func access<Value>(_ work: (Database) throws -> Value) throws(QueueFileError) -> Value {
    do { return try connection.writeWithoutTransaction(work) } catch {
      throw QueueFileError(error, path: path)
    }
  }

  /// Runs a closure in one transaction; a transaction that throws changes nothing.
  ///
  /// It must be called on the connection's thread.
  package func commit<Value>(
    in database: Database, _ work: () throws -> Value
  ) throws(QueueFileError) -> Value {
    // Another process may have deleted the file; what is written to it now would be lost.
    try checkIdentity()
    return try check {
      var value: Value?
      try database.inTransaction(.immediate) {
        value = try work()
        return .commit
      }
      guard let value else { throw QueueFileError(.unusable, path: path) }
      return value
    }
  }

  /// Throws an error if the path no longer leads to the file that was opened.
  package func checkIdentity() throws(QueueFileError) {
    guard let identity, paths.identity == identity else { throw QueueFileError(.replaced, path: path) }
  }

  /// Returns the result of a closure that reads the database, with its error as a `QueueFileError`.
  package func check<Value>(_ work: () throws -> Value) throws(QueueFileError) -> Value {
    do { return try work() } catch {
      let error = QueueFileError(error, path: path)
      if error.kind == .damaged { paths.markAsDamaged() }
      throw error
    }
  }

  /// Runs a closure on the connection's thread and returns its result.
  package func perform<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws(QueueFileError) -> Value
  ) async throws(QueueFileError) -> Value {
    let result: Result<Value, QueueFileError> = await withCheckedContinuation { continuation in
      schedule { database in
        do throws(QueueFileError) {
          continuation.resume(returning: .success(try work(database)))
        } catch { continuation.resume(returning: .failure(error)) }
      }
    }
    return try result.get()
  }

  /// Deletes the damaged files that earlier starts have moved away, but not the last one.
  package func removeFormerDamagedFiles() { paths.removeDamagedFiles(except: damagedFile) }

  /// Deletes all damaged files that were moved away.
  package func removeDamagedFiles() { paths.removeDamagedFiles(except: nil) }

  /// Closes the file and deletes it.
  package func closeAndDelete() {
    try? connection.close()
    paths.delete()
    lock.unlock()
  }

  /// Closes the file, and deletes it with everything that was kept beside it; this blocks the calling thread.
  ///
  /// If the process ends meanwhile, ``finishWipes(in:)`` deletes the rest.
  package func closeAndWipe() throws(QueueFileError) {
    try? connection.close()
    defer { lock.unlock() }
    try paths.wipe()
    lock.remove()
  }

  /// Deletes a file that isn't open, with everything that was kept beside it; this blocks the calling thread.
  package static func wipe(_ path: String) throws(QueueFileError) {
    let paths = FilePaths(database: path)
    let lock = try FileLock(paths.lock, for: path)
    try paths.wipe()
    lock.remove()
  }

  /// Finishes to wipe a file, if a process has ended while it did that.
  package static func finishWipe(_ path: String) throws(QueueFileError) {
    if FilePaths(database: path).isBeingWiped { try wipe(path) }
  }

  /// Finishes to wipe the files of a folder for which a process has ended while it did that.
  ///
  /// A file that can't be wiped now, because another process does it, keeps its mark.
  package static func finishWipes(in folder: String) {
    for path in FilePaths.beingWiped(in: folder) { try? wipe(path) }
  }

  /// Closes the file after the closures that were scheduled before, and suspends the task until then.
  package func finish() async {
    // The closures end first, so that closing blocks the thread only briefly.
    _ = try? await perform { _ throws(QueueFileError) in }
    close()
  }

  /// Closes the file after the closures that were scheduled before; later ones fail.
  package func close() {
    try? connection.close()
    lock.unlock()
  }
}
#endif
