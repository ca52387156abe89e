#if SQLite
import DurableQueues
import GRDB
import Interception
import NonceStores

/// The file of an ``SQLiteNonceStore``: its tables and the statements on them.
struct NonceFile: Sendable {
  /// The maximum number of expired nonces that a transaction removes besides two for each claim.
  private static let minimumRemovals = 100
  private static let pageSize = 4_096

  private let path: String
  private let identity: FileIdentity?
  private let queue: DatabaseQueue

  /// Opens the file or creates it.
  init(path: String, maximumBytes: Int, lockTimeout: Duration) throws(NonceStoreError) {
    do throws(NULFault) { try path.checkWhole(as: "The path of the nonce store") } catch {
      throw NonceStoreError(.unreachable, "\(error)")
    }
    self.path = path
    do {
      let ownership = try DatabaseOwnership(of: path)
      var configuration = Configuration()
      configuration.busyMode = .timeout(max(lockTimeout, .zero) / .seconds(1))
      queue = try DatabaseQueue(path: path, configuration: configuration)
      // Before anything is written.
      _ = try ownership.ofOpened()
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        // Otherwise a loss of power loses the last transactions.
        try database.execute(sql: "PRAGMA synchronous = FULL")
        try database.execute(sql: "PRAGMA max_page_count = \(max(maximumBytes / Self.pageSize, 16))")
        try database.inTransaction(.immediate) {
          try database.execute(sql: Self.schema)
          return .commit
        }
      }
      // SQLite has opened the files beside it with the first statement.
      identity = try ownership.ofOpened()
    } catch { throw Self.error(error, path: path) }
  }

  private static let schema = """
    CREATE TABLE IF NOT EXISTS nonce (
      keyID TEXT NOT NULL, nonce TEXT NOT NULL, expiry INTEGER NOT NULL, PRIMARY KEY (keyID, nonce)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS nonceByExpiry ON nonce (expiry);
    CREATE TABLE IF NOT EXISTS completeness (
      id INTEGER PRIMARY KEY CHECK (id = 1), since INTEGER NOT NULL, removedThrough INTEGER NOT NULL
    );
    """

  /// The file, for messages.
  var name: String { "the nonce store in \"\(path)\"" }

  /// Calls a closure on the thread of the connection.
  func schedule(_ work: @escaping @Sendable (Database) -> Void) { queue.asyncWriteWithoutTransaction(work) }

  /// Records claims in one transaction, and returns a verdict for each.
  func record(_ claims: [NonceClaim], in database: Database) throws(NonceStoreError) -> [NonceVerdict] {
    // The open file may have been deleted or replaced; other processes then use another one.
    guard let identity, FileIdentity(path: path) == identity else {
      throw NonceStoreError(
        .unreachable,
        "\(name) was deleted or replaced; start the server again, so that it opens the new file.")
    }
    do {
      var verdicts: [NonceVerdict] = []
      try database.inTransaction(.immediate) {
        verdicts = try insert(claims, in: database)
        return .commit
      }
      return verdicts
    } catch {
      let fault = Self.error(error, path: path)
      guard fault.kind == .full else { throw fault }
      // The nonces that a full file already has are known.
      return claims.map { (try? isRecorded($0, in: database)) == true ? .known : .unavailable(fault) }
    }
  }

  private func isRecorded(_ claim: NonceClaim, in database: Database) throws -> Bool {
    try Row.fetchOne(
      database, sql: "SELECT 1 FROM nonce WHERE keyID = ? AND nonce = ?",
      arguments: [claim.keyID, claim.nonce.description]) != nil
  }

  private func insert(_ claims: [NonceClaim], in database: Database) throws -> [NonceVerdict] {
    let latest = claims.map(\.now.seconds).max() ?? 0
    try database.execute(
      sql: "INSERT OR IGNORE INTO completeness VALUES (1, ?, ?)", arguments: [latest + 1, Int64.min])
    let row = try Row.fetchOne(database, sql: "SELECT since, removedThrough FROM completeness")
    let since = WallTime(secondsSince1970: try row?.value("since") ?? .max)
    let removedThrough: Int64 = try row?.value("removedThrough") ?? .max
    let insertion = try database.cachedStatement(sql: "INSERT OR IGNORE INTO nonce VALUES (?, ?, ?)")
    let verdicts = try claims.map { claim -> NonceVerdict in
      // A clock that was set back doesn't admit a nonce that was removed.
      guard claim.expiry.seconds > removedThrough else { return .unavailable(forgotten) }
      try insertion.execute(arguments: [claim.keyID, claim.nonce.description, claim.expiry.seconds])
      guard database.changesCount == 1 else { return .known }
      return claim.earliestUse < since ? .unavailable(forgotten) : .claimed
    }
    try removeExpired(before: latest, atMost: Self.minimumRemovals + 2 * claims.count, in: database)
    return verdicts
  }

  private func removeExpired(before second: Int64, atMost limit: Int, in database: Database) throws {
    let expired = try Row.fetchAll(
      database, sql: "SELECT keyID, nonce, expiry FROM nonce WHERE expiry < ? ORDER BY expiry LIMIT ?",
      arguments: [second, limit])
    guard let last = expired.last else { return }
    let removal = try database.cachedStatement(sql: "DELETE FROM nonce WHERE keyID = ? AND nonce = ?")
    for row in expired {
      let (keyID, nonce): (String, String) = (try row.value("keyID"), try row.value("nonce"))
      try removal.execute(arguments: [keyID, nonce])
    }
    try database.execute(
      sql: "UPDATE completeness SET removedThrough = max(removedThrough, ?)",
      arguments: [try last.value("expiry") as Int64])
  }

  private var forgotten: NonceStoreError {
    NonceStoreError(
      .forgotten,
      "\(name) was created after the request could have been accepted, or has removed nonces of its time; "
        + "wait one window.")
  }

  private static func error(_ error: any Error, path: String) -> NonceStoreError {
    if let refusal = error as? DatabaseOwnership.Refusal {
      return NonceStoreError(
        .refused,
        "The file \"\(refusal.path)\" of the nonce store is not used: \(refusal.finding); remove it, or use a file "
          + "in a folder that only you can write.")
    }
    let code = error is RecordDamage ? .SQLITE_CORRUPT : (error as? DatabaseError)?.resultCode
    let (kind, reason): (NonceStoreError.Kind, String) =
      switch code {
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        (.timedOut, "is locked by another process; check which one keeps it open, or raise the time limit")
      case .SQLITE_FULL: (.full, "has reached its maximum size, or the disk is full; raise it, or free space")
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: (.malformed, "is not an SQLite file or is damaged; delete it")
      case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
        (.refused, "can't be written; check the permissions of the file and its folder")
      default: (.unreachable, "can't be used; check the folder, its permissions and the disk")
      }
    let number = code.map { " (SQLite \($0.rawValue))" } ?? ""
    return NonceStoreError(kind, "The nonce store in \"\(path)\" \(reason)\(number).")
  }
}
#endif
