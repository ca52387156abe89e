#if SQLite
import DurableQueues
import GRDB
import HTTPTypes
import Interception
import ResponseCaching

extension ResponseDirectory {
  /// The maximum number of rows whose visits wait to be written.
  private static let maximumVisitedRows = 64

  /// What a row has of a response.
  private struct Found {
    let removal: Removal
    let columns: [Int64]
    let head: [UInt8]
    let body: [UInt8]?
  }

  /// Looks a request up with one access to the database; rows that turn out to be damaged are removed.
  func lookup(_ key: CacheKey, requestFields: HTTPFields) -> StoreLookup {
    let hidden = contents?.hiddenRows ?? []
    var damaged: [Removal] = []
    let result = read { database in
      var newest: (row: Int64, stored: StoredResponse)?
      let (found, hasOthers) = try Self.find(key, requestFields, in: database, except: hidden)
      // In the order in which they were stored, so that each is compared with those that arrived before it.
      for candidate in found {
        guard let stored = decode(candidate) else {
          damaged.append(candidate.removal)
          continue
        }
        // Another key with the same hash.
        guard stored.key == key else { continue }
        guard stored.selector.matches(requestFields),
          try Self.isFoundByRemovals(stored, candidate, in: database)
        else {
          damaged.append(candidate.removal)
          continue
        }
        if let former = newest, stored.isOlder(than: former.stored) { continue }
        newest = (candidate.removal.row, stored)
      }
      return (newest, hasOthers)
    }
    removeOrHide(damaged)
    guard let (newest, hasOthers) = result else { return .nothing }
    guard let newest else { return hasOthers ? .otherVariants : .nothing }
    visit(newest.row)
    return .found(newest.stored)
  }

  /// Whether the columns of a row are those of its response: a removal would not find a damaged one.
  private static func isFoundByRemovals(
    _ stored: StoredResponse, _ found: Found, in database: Database
  ) throws -> Bool {
    let columns = ResponseColumns(stored.key)
    let wanted = [columns.target, columns.subject, columns.partition, columns.service, columns.api]
    guard found.columns == wanted else { return false }
    guard !stored.tags.isEmpty else { return true }
    let tags = try Int64.fetchSet(
      database.cachedStatement(sql: "SELECT tag FROM tag WHERE id = ?"), arguments: [found.removal.row])
    return tags == Set(stored.tags.map { ResponseColumns.hash(of: $0) })
  }

  /// Removes the selected responses, and returns their number.
  func remove(_ selection: CacheSelection) -> Int {
    guard let file = contents?.file else { return 0 }
    var removals = delete(selection)
    if removals == nil, contents?.file === file {
      // On a full disk the log has the room that the removal needs.
      truncateLog()
      removals = delete(selection)
    }
    let count = removals?.count ?? contents?.order.count ?? 0
    if let removals { forget(removals) } else { discardAll() }
    switch selection.kind {
    case .all, .partition:
      // Nothing of an account may remain in the files: the log, or a database that was set aside.
      truncateLog()
      contents?.file.removeDamagedFiles()
    case .service, .api, .tags, .target, .subject, .key: break
    }
    return count
  }

  /// Deletes the selected rows, and returns them; nil if that can't be written.
  private func delete(_ selection: CacheSelection) -> [Removal]? {
    let (condition, arguments, isDurable) = Self.condition(selection)
    return change(isDurable: isDurable) { database in
      let removals = try Row.fetchAll(
        database.makeStatement(sql: "SELECT id, file, fileBytes FROM response WHERE \(condition)"),
        arguments: StatementArguments(arguments)
      ).map(Self.removal)
      try Self.delete(removals, in: database)
      return removals
    }
  }

  /// Writes the log back to the database, and empties it.
  private func truncateLog() {
    _ = read { try Row.fetchAll($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)").count }
  }

  /// The rows of a selection, and whether their removal must also survive a loss of power.
  private static func condition(_ selection: CacheSelection) -> (String, [Int64], isDurable: Bool) {
    switch selection.kind {
    case .all: ("1", [], true)
    case .partition(let partition): ("partition = ?", [ResponseColumns.hash(of: partition)], true)
    case .service(let service): ("service = ?", [ResponseColumns.hash(of: service)], true)
    case .api(let api): ("api = ?", [ResponseColumns.hash(of: api)], true)
    case .tags(let tags):
      (
        "id IN (SELECT id FROM tag WHERE tag IN (\(tags.map { _ in "?" }.joined(separator: ", "))))",
        tags.map { ResponseColumns.hash(of: $0) }, true
      )
    case .target(let target): ("target = ?", [ResponseColumns.hash(of: target)], false)
    case .subject(let subject):
      (
        "target = ? AND subject = ?",
        [ResponseColumns.hash(of: subject.target), ResponseColumns.hash(of: subject)], false
      )
    case .key(let key): ("key = ?", [ResponseColumns.hash(of: key)], false)
    }
  }

  /// Returns the rows for a key and these request header fields, and whether there are rows of the key for
  /// other ones.
  private static func find(
    _ key: CacheKey, _ requestFields: HTTPFields, in database: Database, except hidden: Set<Int64>
  ) throws -> (found: [Found], hasOthers: Bool) {
    var (found, hasOthers): ([Found], Bool) = ([], false)
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT response.*, head, body FROM response JOIN content USING (id) WHERE key = ? ORDER BY id
          """), arguments: [ResponseColumns.hash(of: key)])
    while let row = try rows.next() {
      let removal = try removal(row)
      guard !hidden.contains(removal.row) else { continue }
      guard VariantSelector(encoded: try row.bytes("selector"))?.matches(requestFields) ?? true else {
        hasOthers = true
        continue
      }
      let body: DatabaseValue? = row["body"]
      let columns = try ["target", "subject", "partition", "service", "api"].map {
        try row.value($0) as Int64
      }
      found.append(
        Found(
          removal: removal, columns: columns, head: try row.bytes("head"),
          body: body.flatMap { StoredBytes.fromDatabaseValue($0)?.bytes }))
    }
    return (found, hasOthers)
  }

  /// Restores a response; nil if any part is missing or damaged.
  private func decode(_ found: Found) -> StoredResponse? {
    guard let file = found.removal.file else {
      return StoredResponse(encodedHead: found.head, body: found.body ?? [])
    }
    guard let count = StoredResponse.bodyCount(ofEncodedHead: found.head), count <= limits.responseBytes,
      let body = bodies.body(file, count: count)
    else { return nil }
    return StoredResponse(encodedHead: found.head, body: body)
  }

  private func visit(_ row: Int64) {
    contents?.order.touch(row)
    guard let visits = contents?.visits, visits[row] != nil || visits.count < Self.maximumVisitedRows else {
      return
    }
    contents?.visits[row, default: 0] += 1
  }
}

/// The hashes by which a stored response is found and removed, as they stand in the columns of the database.
///
/// A collision does no harm at a lookup, because the whole key is compared, and at a removal it costs a miss.
struct ResponseColumns: Sendable, Hashable {
  let key: Int64
  let target: Int64
  let subject: Int64
  let partition: Int64
  /// Zero for a request without an API, as is ``api``.
  let service: Int64
  let api: Int64

  init(_ key: CacheKey) {
    let subject = key.subject
    self.key = Self.hash(of: key)
    target = Self.hash(of: subject.target)
    self.subject = Self.hash(of: subject)
    partition = Self.hash(of: subject.partition)
    service = subject.api.map { Self.hash(of: $0.service) } ?? 0
    api = subject.api.map(Self.hash) ?? 0
  }

  static func hash(of key: CacheKey) -> Int64 { hash(of: key.preimage[...]) }

  static func hash(of text: String) -> Int64 { hash(of: Array(text.utf8)[...]) }

  static func hash(of tag: CacheRule.Tag) -> Int64 { hash(of: tag.name) }

  static func hash(of api: APIIdentity) -> Int64 {
    hash(of: Array("\(api.service.utf8.count) \(api.service)\(api.name)".utf8)[...])
  }

  static func hash(of subject: CacheSubject) -> Int64 {
    let parts = [hash(of: subject.partition), subject.api.map(hash) ?? 0, hash(of: subject.method)]
    return hash(of: Array("\(parts) \(hash(of: subject.target))".utf8)[...])
  }

  static func hash(of bytes: ArraySlice<UInt8>) -> Int64 { Int64(bitPattern: RecordChecksum.of(bytes)) }
}
#endif
