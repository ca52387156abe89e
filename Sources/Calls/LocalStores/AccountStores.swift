#if SQLite
// For QueueFileFault, which is a part of LocalStoreError.
@_exported public import DurableQueues

import Cryptography
public import Interception

/// The stores of an app's own data: one for each account, and one for the time without an account.
///
/// ```swift
/// let stores = AccountStores(folder: "/var/lib/estate/local", schema: LocalSchema(collections: notes))
/// let store = try await stores.store(of: account.id)
/// try await store.put(Note(id: 1, home: 42, text: "Call the agent"), in: notes)
/// try await stores.flush()  // when the app goes to the background
/// try await stores.remove(account.id)  // at logout
/// ```
///
/// Each account has a file of its own, whose name is a digest of it, and which one process has open at a
/// time. No account can read what another one has. Keep no passwords, tokens or keys here: they belong to
/// the keychain of the system.
public actor AccountStores {
  private let folder: String
  private let schema: LocalSchema
  private let limits: LocalLimits
  private let time: TimeSource
  private let executor: QueueFile.Executor?
  /// The open stores by the paths of their files: accounts that Swift considers equal may be different ones.
  private var open: [String: LocalStore] = [:]
  private var hasFinishedWipes = false

  /// Creates the stores of a folder; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - folder: The folder, on a local disk, which is created if it doesn't exist. It has nothing else.
  ///   - schema: The collections of each store.
  ///   - limits: The limits of each store.
  public init(
    folder: String, schema: LocalSchema, limits: LocalLimits = LocalLimits(), time: TimeSource = .system
  ) {
    self.init(folder: folder, schema: schema, limits: limits, time: time, executor: nil)
  }

  /// Creates stores with a chosen executor of the accesses to their files.
  package init(
    folder: String, schema: LocalSchema, limits: LocalLimits, time: TimeSource,
    executor: QueueFile.Executor?
  ) {
    (self.folder, self.schema, self.limits) = (folder, schema, limits)
    (self.time, self.executor) = (time, executor)
  }

  /// Returns the store of an account, and opens its file, or creates it, if it isn't open.
  ///
  /// A damaged file is renamed, see ``LocalStore/damagedFile``, and what can still be read is kept. A file of
  /// a lower version of the schema is migrated.
  ///
  /// - Parameter account: The account, as requests have it in `RequestContext.partition`; empty for the time
  ///   without one.
  /// - Throws: `LocalStoreError` of kind `.file(.occupied)` if another process has the file open,
  ///   `.migration` or `.undecodable` if it can't be migrated, or the failure of the file.
  public func store(of account: String) throws(LocalStoreError) -> LocalStore {
    let file = try file(of: account)
    if let store = open[file.path], !store.isClosed { return store }
    try schema.check()
    try prepareFolder(for: file)
    let store = try LocalStore(file, time: time, executor: executor)
    open[file.path] = store
    return store
  }

  /// Writes the changes that wait in all open stores; call it when the app goes to the background.
  ///
  /// - Throws: The first failure, after all stores were tried.
  public func flush() async throws(LocalStoreError) {
    try await forEachOpen { store throws(LocalStoreError) in try await store.flush() }
  }

  /// Writes the changes that wait, and closes all stores.
  ///
  /// - Throws: The first failure, after all stores were tried; a store that failed is still open.
  public func close() async throws(LocalStoreError) {
    try await forEachOpen { store throws(LocalStoreError) in try await store.close() }
  }

  /// Deletes everything that an account has; call it at logout.
  ///
  /// Its store is closed: it can't be used any more, what waited is not written, and what observes it has no
  /// value. If the process ends meanwhile, the next one deletes the rest when it uses the folder first.
  ///
  /// - Throws: `LocalStoreError` of kind `.file(.occupied)` if another process has the file open, or the
  ///   failure of the file.
  public func remove(_ account: String) throws(LocalStoreError) {
    let file = try file(of: account)
    if let store = open.removeValue(forKey: file.path) { return try store.closeAndWipe() }
    try prepareFolder(for: file)
    do throws(QueueFileError) { try QueueFile.wipe(file.path) } catch { throw LocalStoreError(error) }
  }

  /// Returns everything that an account has as JSON, for a person who asks; see ``LocalStore/export()``.
  ///
  /// A file that isn't open is not migrated, so that one whose migration failed can be exported, too.
  public func export(_ account: String) async throws(LocalStoreError) -> [UInt8] {
    let layout = try file(of: account)
    if let store = open[layout.path] { return try await store.export() }
    try prepareFolder(for: layout)
    guard FileStatus(at: layout.path) != nil else { return try ExportDocument(account: account).bytes() }
    let (file, _) = try layout.open(now: time.wallTime(), executor: executor, isMigrated: false)
    defer { file.close() }
    do throws(QueueFileError) {
      return try file.access { try layout.export($0, file) }
    } catch { throw LocalStoreError(error) }
  }

  private func forEachOpen(
    _ body: (LocalStore) async throws(LocalStoreError) -> Void
  ) async throws(LocalStoreError) {
    var failure: LocalStoreError?
    for (path, store) in open {
      do throws(LocalStoreError) {
        try await body(store)
        if store.isClosed, open[path] === store { open[path] = nil }
      } catch {
        // It was removed meanwhile, with what waited.
        if error.kind != .file(.closed) { failure = failure ?? error }
      }
    }
    if let failure { throw failure }
  }

  /// Returns how the file of an account is named and opened.
  private func file(of account: String) throws(LocalStoreError) -> LocalFile {
    guard !account.utf8.contains(0) else {
      throw LocalStoreError(
        .account,
        "The account contains a null byte, as that of a login without a name does; give the login its "
          + "account's name.")
    }
    let digest: [UInt8]
    do { digest = try Digest.sha256(Array("local account \(account)".utf8)) } catch {
      throw LocalStoreError(.account, "The account has no digest: \(error)")
    }
    let name = account.isEmpty ? "guest" : Hexadecimal.encode(digest)
    return LocalFile(
      path: "\(folder)/\(name).sqlite", account: account, owner: digest, schema: schema, limits: limits)
  }

  /// Creates the folder, and finishes what a process before has not.
  private func prepareFolder(for file: LocalFile) throws(LocalStoreError) {
    let place = QueueFolder(folder)
    do throws(NULFault) { try folder.checkWhole(as: "The path of the folder of local stores") } catch {
      throw LocalStoreError(QueueFileError(error))
    }
    place.create()
    if let finding = place.finding {
      throw LocalStoreError(QueueFileError(finding: finding, path: folder))
    }
    if !hasFinishedWipes { QueueFile.finishWipes(in: folder) }
    hasFinishedWipes = true
    // Of this file it must be finished.
    do throws(QueueFileError) { try QueueFile.finishWipe(file.path) } catch { throw LocalStoreError(error) }
  }
}
#endif
