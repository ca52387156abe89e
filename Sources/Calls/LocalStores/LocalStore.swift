#if SQLite
import DurableQueues
import GRDB
import Interception
import Synchronization

/// The values and collections of one account, in a file of its own.
///
/// Get it from ``AccountStores``. All accesses run one after the other.
///
/// ```swift
/// let store = try await stores.store(of: account.id)
/// try await store.set("dark", for: theme)
/// try await store.put(Note(id: 1, home: 42, text: "Call the agent"), in: notes)
/// let found = try await store.items(LocalQuery(notes, by: byHome, from: 42, through: 42))
/// ```
///
/// A change with ``LocalWriteTime/now`` whose call has returned survives the end of the process and a loss of
/// power. One with ``LocalWriteTime/atBackground`` is written with the others that wait.
public final class LocalStore: Sendable {
  private struct State: Sendable {
    /// The changes that aren't in the file.
    var waiting = StagedChanges()
    var contents: LocalFile.Contents
    var isClosed = false
    /// Whether a task waits for the end of the delay.
    var hasTimer = false
    var observers: [WeakObserver] = []
  }

  private let storage: QueueFile
  private let layout: LocalFile
  private let time: TimeSource
  private let state: Mutex<State>
  private let news = Broadcast<LocalChange>(keeping: 256)

  /// Opens the file of a store; this blocks the calling thread.
  init(_ layout: LocalFile, time: TimeSource, executor: QueueFile.Executor? = nil) throws(LocalStoreError) {
    let (file, contents) = try layout.open(now: time.wallTime(), executor: executor)
    storage = file
    self.layout = layout
    self.time = time
    state = Mutex(State(contents: contents))
  }

  deinit {
    let (waiting, contents) = state.withLock { ($0.isClosed ? StagedChanges() : $0.waiting, $0.contents) }
    guard !waiting.isEmpty else { return }
    storage.schedule { [storage, layout] database in
      _ = try? Self.commit(waiting, keeping: StagedChanges(), contents, layout, storage, database)
    }
  }

  /// The path that a damaged file was moved to when the store was opened; nil if there was none.
  ///
  /// What can still be read of it is in the store. The file is deleted with the store's.
  public var damagedFile: String? { storage.damagedFile }

  /// The bytes of all values and items, with those that wait to be written.
  package var usedBytes: Int { state.withLock { $0.contents.bytes + $0.waiting.growth } }

  /// The number of changes that wait to be written.
  public var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// The changes from now on.
  ///
  /// A stream keeps the latest 256 until they are read. It ends when the store is closed or removed.
  public var changes: AsyncStream<LocalChange> { news.values() }

  // MARK: Reading and changing

  /// Returns the value of a key.
  public func value<Value>(_ key: LocalKey<Value>) async throws(LocalStoreError) -> Value {
    try await run { data throws(LocalStoreError) in try data.value(key) }
  }

  /// Sets the value of a key.
  public func set<Value>(_ value: Value, for key: LocalKey<Value>) async throws(LocalStoreError) {
    try await run { data throws(LocalStoreError) in try data.set(value, for: key) }
  }

  /// Removes the value of a key, which then has its default value.
  public func removeValue<Value>(_ key: LocalKey<Value>) async throws(LocalStoreError) {
    try await run { data throws(LocalStoreError) in try data.removeValue(key) }
  }

  /// Returns the item with an ID; nil if there is none.
  public func item<Item>(
    _ id: Item.ID, of collection: LocalCollection<Item>
  ) async throws(LocalStoreError) -> Item? {
    try await run { data throws(LocalStoreError) in try data.item(id, of: collection) }
  }

  /// Returns the items of a query.
  public func items<Item>(_ query: LocalQuery<Item>) async throws(LocalStoreError) -> [Item] {
    try await run { data throws(LocalStoreError) in try data.items(query) }
  }

  /// Puts an item into a collection, in place of one with the same ID.
  public func put<Item>(
    _ item: Item, in collection: LocalCollection<Item>
  ) async throws(LocalStoreError) {
    try await run { data throws(LocalStoreError) in try data.put(item, in: collection) }
  }

  /// Removes the item with an ID, if there is one.
  public func remove<Item>(
    _ id: Item.ID, of collection: LocalCollection<Item>
  ) async throws(LocalStoreError) {
    try await run { data throws(LocalStoreError) in try data.remove(id, of: collection) }
  }

  /// Reads and changes several values and items in one step, which no other access interrupts.
  ///
  /// ```swift
  /// try await store.transaction { data in
  ///   let count = try data.value(visits)
  ///   try data.set(count + 1, for: visits)
  /// }
  /// ```
  ///
  /// - Parameter body: The reads and changes, on the thread of the file. If it throws, nothing is changed.
  /// - Throws: What `body` throws, or `LocalStoreError`.
  public func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (_ data: borrowing LocalTransaction) throws -> Result
  ) async throws -> Result {
    try await perform { [self] database throws(any Error) in
      let work = try makeWork(database)
      let result = try body(LocalTransaction(work: work))
      try accept(work.staged, database)
      return result
    }
  }

  /// Runs a transaction whose closure throws only errors of the store.
  private func run<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing LocalTransaction) throws(LocalStoreError) -> Result
  ) async throws(LocalStoreError) -> Result {
    try await perform { [self] database throws(LocalStoreError) in
      let work = try makeWork(database)
      let result = try body(LocalTransaction(work: work))
      try accept(work.staged, database)
      return result
    }
  }

  /// Runs a closure on the thread of the file, after those before.
  private func perform<Result: Sendable, Failure: Error>(
    _ work: @escaping @Sendable (Database) throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let result: Swift.Result<Result, Failure> = await withCheckedContinuation { continuation in
      storage.schedule { database in
        do throws(Failure) {
          continuation.resume(returning: .success(try work(database)))
        } catch { continuation.resume(returning: .failure(error)) }
      }
    }
    return try result.get()
  }

  private func makeWork(_ database: Database) throws(LocalStoreError) -> LocalWork {
    let (waiting, isClosed) = state.withLock { ($0.waiting, $0.isClosed) }
    guard !isClosed else { throw .closed(layout.path) }
    return LocalWork(
      LocalTables(database: database, owner: layout.owner), layout.schema, layout.limits, file: storage,
      path: layout.path, waiting: waiting)
  }

  // MARK: Writing

  /// Accepts the changes of a transaction: in the file, or to wait.
  private func accept(_ staged: StagedChanges, _ database: Database) throws(LocalStoreError) {
    guard !staged.isEmpty else { return }
    let (waiting, contents) = state.withLock { ($0.waiting, $0.contents) }
    var all = waiting
    all.add(staged)
    try checkRoom(for: all, after: waiting, contents)
    var rest = waiting
    rest.remove(replacedBy: staged)
    if all.bytes > layout.limits.waitingBytes || all.count > layout.limits.waitingCount {
      try write(all, keeping: StagedChanges(), database)
    } else if staged.isUrgent {
      try write(staged, keeping: rest, database)
    } else {
      state.withLock { $0.waiting = all }
      startTimer()
    }
    tell(Set(staged.changes.keys.map(\.change)), database)
  }

  /// Checks that the changes have room, if what may be evicted is.
  private func checkRoom(
    for changes: StagedChanges, after former: StagedChanges, _ contents: LocalFile.Contents
  ) throws(LocalStoreError) {
    let missing = contents.bytes + changes.growth - layout.limits.bytes
    // What frees room is never refused.
    guard changes.growth > former.growth, missing > 0,
      missing > contents.evictableBytes - changes.replacedEvictableBytes
    else { return }
    throw LocalStoreError(
      .full,
      "The local store has its maximum of \(layout.limits.bytes) bytes; remove items, or raise the limit.")
  }

  /// Writes changes, after which others wait.
  private func write(
    _ changes: StagedChanges, keeping rest: StagedChanges, _ database: Database
  ) throws(LocalStoreError) {
    let contents = state.withLock { $0.contents }
    let written: Written
    do throws(QueueFileError) {
      written = try Self.commit(changes, keeping: rest, contents, layout, storage, database)
    } catch { throw LocalStoreError(error) }
    state.withLock { state in
      state.contents = written.contents
      state.waiting = rest
    }
    for (collection, count) in written.evicted.sorted(by: { $0.key < $1.key }) {
      news.send(.evicted(collection: collection, count: count))
    }
    tell(Set(written.evicted.keys.map { .items(collection: $0) }), database, isNews: false)
  }

  private struct Written {
    var contents: LocalFile.Contents
    var evicted: [String: Int]
  }

  private static func commit(
    _ changes: StagedChanges, keeping rest: StagedChanges, _ contents: LocalFile.Contents,
    _ layout: LocalFile,
    _ storage: QueueFile, _ database: Database
  ) throws(QueueFileError) -> Written {
    let tables = LocalTables(database: database, owner: layout.owner)
    let excess = contents.bytes + changes.growth + rest.growth - layout.limits.bytes
    return try storage.commit(in: database) {
      var written = Written(contents: contents, evicted: [:])
      let eviction = try tables.evict(excess, of: layout.schema.evictableNames) { address in
        changes.changes[address] != nil || rest.changes[address] != nil
      }
      written.evicted = eviction.counts
      for (address, change) in changes.inOrder {
        written.contents.lastWritten += 1
        try tables.apply(change, at: address, written: written.contents.lastWritten)
      }
      written.contents.bytes += changes.growth - eviction.bytes
      written.contents.evictableBytes += changes.evictableGrowth - eviction.bytes
      return written
    }
  }

  private func startTimer() {
    let isFirst = state.withLock { state in
      defer { state.hasTimer = true }
      return !state.hasTimer
    }
    guard isFirst else { return }
    Task(priority: .utility) { [weak self, time, delay = layout.limits.delay] in
      try? await time.sleep(for: delay)
      await self?.writeAfterDelay()
    }
  }

  private func writeAfterDelay() async {
    state.withLock { $0.hasTimer = false }
    do throws(LocalStoreError) { try await flush() } catch {
      guard error.kind != .file(.closed) else { return }
      news.send(.unwritten(reason: error.description))
      startTimer()
    }
  }

  /// Writes the changes that wait, in one transaction; call it when the app goes to the background.
  ///
  /// - Throws: The failure of the file; the changes still wait.
  public func flush() async throws(LocalStoreError) {
    try await perform { [self] database throws(LocalStoreError) in try writeWaiting(database) }
  }

  private func writeWaiting(_ database: Database) throws(LocalStoreError) {
    let (waiting, isClosed) = state.withLock { ($0.waiting, $0.isClosed) }
    guard !isClosed else { throw .closed(layout.path) }
    if !waiting.isEmpty { try write(waiting, keeping: StagedChanges(), database) }
  }

  // MARK: Observing

  /// Returns the value of a key as it is from now on, which `Observation` tracks.
  public func observe<Value: Equatable>(
    _ key: LocalKey<Value>
  ) async throws(LocalStoreError) -> LocalObservation<Value> {
    try await observe(.value(key: key.name), initially: key.defaultValue) {
      data throws(LocalStoreError) in try data.value(key)
    }
  }

  /// Returns the items of a query as they are from now on, which `Observation` tracks.
  public func observe<Item: Equatable>(
    _ query: LocalQuery<Item>
  ) async throws(LocalStoreError) -> LocalObservation<[Item]> {
    try await observe(.items(collection: query.collection.name), initially: []) {
      data throws(LocalStoreError) in try data.items(query)
    }
  }

  private func observe<Value>(
    _ subject: LocalChange, initially value: Value, _ read: @escaping LocalObservation<Value>.Read
  ) async throws(LocalStoreError) -> LocalObservation<Value> {
    try await perform { [self] database throws(LocalStoreError) in
      let work = try makeWork(database)
      let observation = LocalObservation(
        subject, try read(LocalTransaction(work: work)), afterRemoval: value, read)
      state.withLock { state in
        state.observers.removeAll { $0.observer == nil }
        state.observers.append(WeakObserver(observer: observation))
      }
      return observation
    }
  }

  /// Tells observers and the readers of the changes what has changed.
  private func tell(_ changes: Set<LocalChange>, _ database: Database, isNews: Bool = true) {
    guard !changes.isEmpty else { return }
    let observers = state.withLock { $0.observers }.compactMap(\.observer)
      .filter { changes.contains($0.subject) }
    if !observers.isEmpty, let work = try? makeWork(database) {
      for observer in observers { observer.refresh(LocalTransaction(work: work)) }
    }
    guard isNews else { return }
    for change in changes { news.send(change) }
  }

  // MARK: Ending

  /// Whether the store was closed or removed.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Returns everything that the store has as JSON, for a person who asks for it.
  ///
  /// ```json
  /// {"account": "…", "version": 2, "values": {"theme": "dark"}, "collections": {"notes": [{"id": 1}]}}
  /// ```
  ///
  /// Dates are the numbers of seconds since 2001, as `Date` encodes itself.
  public func export() async throws(LocalStoreError) -> [UInt8] {
    try await perform { [self] database throws(LocalStoreError) in
      let (waiting, isClosed) = state.withLock { ($0.waiting, $0.isClosed) }
      guard !isClosed else { throw .closed(layout.path) }
      return try layout.export(database, storage, waiting)
    }
  }

  /// Writes the changes that wait, and closes the file; nothing can be read or changed afterwards.
  ///
  /// - Throws: The failure of the file; the store is then still open.
  func close() async throws(LocalStoreError) {
    try await perform { [self] database throws(LocalStoreError) in
      try writeWaiting(database)
      state.withLock { $0.isClosed = true }
    }
    await storage.finish()
    news.finish()
  }

  /// Closes the file and deletes everything that has some of its content; this blocks the calling thread.
  func closeAndWipe() throws(LocalStoreError) {
    state.withLock { $0.isClosed = true }
    defer {
      // The last transaction has ended with the connection.
      let observers = state.withLock { state in
        state.waiting = StagedChanges()
        defer { state.observers = [] }
        return state.observers
      }
      for observer in observers { observer.observer?.reset() }
      news.finish()
    }
    do throws(QueueFileError) { try storage.closeAndWipe() } catch { throw LocalStoreError(error) }
  }
}

/// An observer that isn't retained.
private struct WeakObserver: Sendable {
  weak var observer: (any LocalObserver)?
}
#endif
