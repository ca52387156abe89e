#if SQLite
import DurableQueues
import GRDB
import Interception

extension ResponseDirectory {
  /// The size of a page of the database.
  static let pageSize = 4_096
  /// The size of a database without responses.
  private static let emptyBytes = 16 * pageSize
  /// The number of rows that are read at once while other operations may wait.
  private static let chunk = 1_000
  /// Longer than any useful lifetime, with which a time still fits the calendar.
  static let greatestLifetime = Duration.seconds(1 << 40)

  private static let format = QueueFile.Format(
    applicationID: 0x5359_5243,
    schema: """
      CREATE TABLE response (
        id INTEGER PRIMARY KEY, key INTEGER NOT NULL, target INTEGER NOT NULL, subject INTEGER NOT NULL,
        partition INTEGER NOT NULL, service INTEGER NOT NULL, api INTEGER NOT NULL, selector BLOB NOT NULL,
        staleAt INTEGER NOT NULL, size INTEGER NOT NULL, visits INTEGER NOT NULL, file TEXT,
        fileBytes INTEGER NOT NULL
      );
      CREATE INDEX responseByKey ON response (key);
      CREATE INDEX responseByTarget ON response (target);
      CREATE INDEX responseByStaleAt ON response (staleAt);
      CREATE INDEX responseByFile ON response (file) WHERE file IS NOT NULL;
      CREATE TABLE tag (tag INTEGER, id INTEGER, PRIMARY KEY (tag, id)) WITHOUT ROWID;
      CREATE INDEX tagByID ON tag (id);
      CREATE TABLE content (id INTEGER PRIMARY KEY, head BLOB NOT NULL, body BLOB);
      """, canShrink: true, hasReaders: true)

  /// Opens the directory, and creates it if it doesn't exist; a damaged database is moved away.
  func open() {
    guard contents == nil, fault == nil else { return }
    do throws(NULFault) { try path.checkWhole(as: "The path of the directory of responses") } catch {
      return giveUp(DiskFault(QueueFileError(error), directory: path))
    }
    QueueFolder(path).create()
    bodies.createFolder()
    // In another user's folder, or by a link, files would be written and removed that aren't the store's.
    // The owner of the directory could rename that of the bodies.
    let findings = [
      (path, QueueFolder(path).finding),
      (bodies.folder, FileStatus(at: bodies.folder)?.finding(for: .containing)),
    ]
    for case (let folder, let finding?) in findings {
      return giveUp(DiskFault(.foreign, directory: path, detail: "\(folder): \(finding)"))
    }
    do throws(QueueFileError) {
      let (file, lastRow) = try QueueFile.open(
        path + "/responses.sqlite", format: Self.format, synchronizesCommits: false, now: time.wallTime()
      ) { database in
        // The log is written back often enough to stay a small part of the limit.
        let pages = min(1_000, max(16, limits.bytes / 40 / Self.pageSize))
        try database.execute(
          sql: "PRAGMA wal_autocheckpoint = \(pages); PRAGMA journal_size_limit = \(pages * Self.pageSize)")
        // What was removed must not remain in free pages.
        _ = try Row.fetchAll(database, sql: "PRAGMA secure_delete = ON")
        return try Int64.fetchOne(database, sql: "SELECT max(id) FROM response") ?? 0
      }
      guard lastRow >= 0, lastRow < .max / 2 else {
        file.closeAndDelete()
        return open()
      }
      let order = ResponseOrder(
        capacity: max(0, limits.bytes - Self.emptyBytes), countLimit: limits.responses)
      contents = Contents(file: file, order: order, nextRow: lastRow + 1, lastFormerRow: lastRow)
      do {
        // Opened now, so that a lack of descriptors later affects only further reads at the same time.
        readers.open(file, try ReaderConnection(file))
      } catch {
        noteFailure(error, of: file)
        // Otherwise the tables were damaged, and another database is open.
        guard contents?.file === file else { return }
        readers.open(file, nil)
      }
      if let damaged = file.damagedFile {
        report(DiskFault(.damaged, directory: path, detail: "moved to \"\(damaged)\""))
      }
      let names = bodies.names()
      post { directory in
        guard directory.contents?.file === file else { return }
        file.removeFormerDamagedFiles()
        directory.removeOrphans(names[...], of: file)
        directory.load(file, after: 0, through: lastRow)
      }
    } catch { giveUp(DiskFault(error, directory: path)) }
  }

  /// Deletes the database and all bodies, and begins a new one; used if a removal can't be written.
  func discardAll() {
    guard let file = contents?.file else { return }
    readers.close()
    contents = nil
    file.closeAndDelete()
    for name in bodies.names() { bodies.remove(name) }
    open()
  }

  /// The size of the database; nil if it can't be read.
  func databaseBytes(withoutFreePages: Bool = false) -> Int? {
    read { database in
      let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      guard withoutFreePages else { return pages * Self.pageSize }
      return (pages - (try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0)) * Self.pageSize
    }
  }

  /// Reads the eviction order of the rows that were there at opening, so that opening needn't wait for it.
  private func load(_ file: QueueFile, after row: Int64, through lastRow: Int64) {
    guard contents?.file === file, row < lastRow else { return }
    struct Known {
      let row, key: Int64
      let size, visits, fileBytes: Int
    }
    let known = read { database in
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT id, key, size, visits, fileBytes FROM response WHERE id > ? AND id <= ?
            ORDER BY id LIMIT \(Self.chunk)
            """), arguments: [row, lastRow]
      ).map { row in
        Known(
          row: try row.value("id"), key: try row.value("key"), size: try row.value("size"),
          visits: try row.value("visits"), fileBytes: try row.value("fileBytes"))
      }
    }
    guard let known, let last = known.last, contents?.file === file else { return }
    var evicted: [Int64] = []
    for row in known {
      // A damaged size isn't trusted.
      let size = min(max(row.size, 0), limits.bytes)
      evicted += contents?.order.insert(row.row, fingerprint: UInt64(bitPattern: row.key), size: size) ?? []
      for _ in 0..<min(max(row.visits, 0), 3) { contents?.order.touch(row.row) }
      contents?.fileBytes += min(max(row.fileBytes, 0), limits.bytes)
    }
    contents?.countedThrough = last.row
    removeRows(evicted)
    post { $0.load(file, after: last.row, through: lastRow) }
  }

  /// Deletes the files without a row, which a killed process has left.
  private func removeOrphans(_ names: ArraySlice<String>, of file: QueueFile) {
    guard contents?.file === file, !names.isEmpty else { return }
    for name in names.prefix(Self.chunk) {
      let isOrphan = read { database in
        try Row.fetchOne(
          database.cachedStatement(sql: "SELECT 1 FROM response WHERE file = ?"), arguments: [name]) == nil
      }
      if isOrphan == true { bodies.remove(name) }
    }
    post { $0.removeOrphans(names.dropFirst(Self.chunk), of: file) }
  }
}
#endif
