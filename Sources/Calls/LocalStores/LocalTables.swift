#if SQLite
import DurableQueues
import GRDB

/// The tables of a store's file: what is stored, and what the indexes have of it.
struct LocalTables {
  /// "SwLS" in ASCII.
  static let applicationID: Int32 = 0x5377_4C53
  /// The version of the tables, before that of the app's schema in the file's header.
  private static let layout: Int32 = 1
  private static let schemaBits: Int32 = 24
  static let pageSize = 4_096

  static let schema = """
    CREATE TABLE item (
      sequence INTEGER PRIMARY KEY, collection TEXT NOT NULL, id TEXT NOT NULL, written INTEGER NOT NULL,
      record BLOB NOT NULL, UNIQUE (collection, id)
    );
    CREATE INDEX itemByWritten ON item (collection, written);
    CREATE TABLE entry (
      collection TEXT NOT NULL, name TEXT NOT NULL, key NOT NULL, item INTEGER NOT NULL,
      PRIMARY KEY (collection, name, key, item)
    ) WITHOUT ROWID;
    CREATE INDEX entryByItem ON entry (item);
    CREATE TABLE declared (
      collection TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (collection, name)
    ) WITHOUT ROWID;
    """

  /// The number in the file's header for a version of the app's schema.
  static func headerVersion(_ version: Int) -> Int32 { layout << schemaBits | Int32(version) }

  let database: Database
  let owner: [UInt8]

  // MARK: The head

  /// Whose file it is, and the version of the app's schema: the record of an address that nothing else has.
  struct Head: Sendable, Hashable {
    static let address = LocalAddress.value("")
    var owner: [UInt8]
    var version: Int
  }

  /// The head of the file; nil if it has none.
  ///
  /// - Throws: `RecordDamage`.
  func head() throws -> Head? {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT record FROM item WHERE collection = '' AND id = ''")
    else { return nil }
    var reader = try RecordReader(row.bytes("record"))
    let head = Head(owner: try reader.bytes(), version: try reader.count())
    guard reader.isAtEnd, 1...LocalSchema.maximumVersion ~= head.version else { throw RecordDamage() }
    return head
  }

  func setHead(version: Int) throws {
    var writer = RecordWriter()
    writer.append(owner)
    writer.append(version)
    try upsert(Head.address, record: writer.finish(), written: 0)
  }

  /// The version of the schema in the file's header, which a changed byte may have changed.
  func versionInHeader() throws -> Int {
    Int(try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0) & (1 << Self.schemaBits - 1)
  }

  var isEmpty: Bool {
    get throws { try Row.fetchOne(database, sql: "SELECT 1 FROM item LIMIT 1") == nil }
  }

  // MARK: Reading

  /// The content at an address, and the size of its record; nil if there is none.
  func content(at address: LocalAddress) throws -> [UInt8]? {
    try row("record", at: address).map {
      try LocalRecord.json($0.bytes("record"), at: address, owner: owner)
    }
  }

  /// The size of the record at an address; 0 if there is none.
  func size(at address: LocalAddress) throws -> Int {
    try row("length(record) AS size", at: address)?.value("size") ?? 0
  }

  /// The number of the row at an address; nil if there is none.
  func sequence(at address: LocalAddress) throws -> Int64? {
    try row("sequence", at: address)?.value("sequence")
  }

  private func row(_ columns: String, at address: LocalAddress) throws -> Row? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT \(columns) FROM item WHERE collection = ? AND id = ?"),
      arguments: [address.collection, address.id])
  }

  /// The items in a range, without those that were changed since.
  func items(
    of collection: String, in range: LocalRange, except changed: Set<String>
  ) throws -> [LocalRange.Found] {
    guard !range.isEmpty else { return [] }
    let direction = range.isDescending ? "DESC" : "ASC"
    var arguments: [any DatabaseValueConvertible] = [collection]
    var sql: String
    if let index = range.index {
      sql = """
        SELECT item.sequence, item.id, item.record, entry.key FROM entry JOIN item ON item.sequence = entry.item
        WHERE entry.collection = ? AND entry.name = ?
        """
      arguments.append(index)
      for (bound, comparison) in [(range.lower, ">="), (range.upper, "<=")] {
        guard let bound else { continue }
        sql += " AND entry.key \(comparison) ?"
        arguments.append(bound)
      }
      sql += " ORDER BY entry.key \(direction), entry.item \(direction) LIMIT ?"
    } else {
      sql =
        "SELECT sequence, id, record FROM item WHERE collection = ? ORDER BY sequence \(direction) LIMIT ?"
    }
    arguments.append(range.rowLimit(changes: changed.count))
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: sql), arguments: StatementArguments(arguments))
    var found: [LocalRange.Found] = []
    while let row = try rows.next() {
      let id: String = try row.value("id")
      guard !changed.contains(id) else { continue }
      let json = try LocalRecord.json(
        row.bytes("record"), at: LocalAddress(collection: collection, id: id), owner: owner)
      found.append(
        LocalRange.Found(
          id: id, json: json, key: range.index == nil ? nil : try row.value("key"),
          sequence: try row.value("sequence")))
    }
    return found
  }

  /// Calls a closure with each value and item, sorted by collection, and with the content.
  func forEach(_ body: (LocalAddress, [UInt8]) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT collection, id, record FROM item WHERE id <> '' ORDER BY collection, sequence")
    while let row = try rows.next() {
      let address = LocalAddress(collection: try row.value("collection"), id: try row.value("id"))
      try body(address, LocalRecord.json(row.bytes("record"), at: address, owner: owner))
    }
  }

  // MARK: Writing

  @discardableResult
  private func upsert(_ address: LocalAddress, record: [UInt8], written: Int64) throws -> Int64 {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          INSERT INTO item (collection, id, written, record) VALUES (?, ?, ?, ?)
          ON CONFLICT (collection, id) DO UPDATE SET written = excluded.written, record = excluded.record
          RETURNING sequence
          """), arguments: [address.collection, address.id, written, StoredBytes(record)])
    guard let row else { throw RecordDamage() }
    return try row.value("sequence")
  }

  /// Writes a change.
  func apply(_ change: StagedChanges.Change, at address: LocalAddress, written: Int64) throws {
    guard let content = change.content else {
      guard let sequence = try sequence(at: address) else { return }
      return try removeRow(sequence)
    }
    let record = LocalRecord(owner: owner, address: address, json: content.json)
    let sequence = try upsert(address, record: record.encoded, written: written)
    guard !address.collection.isEmpty else { return }
    try removeEntries(of: sequence)
    try insert(content.entries, of: sequence, in: address.collection)
  }

  private func removeRow(_ sequence: Int64) throws {
    try removeEntries(of: sequence)
    try database.cachedStatement(sql: "DELETE FROM item WHERE sequence = ?").execute(arguments: [sequence])
  }

  private func removeEntries(of sequence: Int64) throws {
    try database.cachedStatement(sql: "DELETE FROM entry WHERE item = ?").execute(arguments: [sequence])
  }

  private func insert(_ entries: [LocalIndexEntry], of sequence: Int64, in collection: String) throws {
    for entry in entries {
      try database.cachedStatement(sql: "INSERT OR IGNORE INTO entry VALUES (?, ?, ?, ?)").execute(
        arguments: [collection, entry.name, entry.key, sequence])
    }
  }

  /// Removes the items of some collections that were written longest ago.
  ///
  /// - Parameters:
  ///   - bytes: The number of bytes of records to remove.
  ///   - kept: The addresses that are not removed.
  /// - Returns: The number of items that were removed by collection, and the bytes of their records.
  func evict(
    _ bytes: Int, of collections: Set<String>, except kept: (LocalAddress) -> Bool
  ) throws -> (counts: [String: Int], bytes: Int) {
    var (counts, freed): ([String: Int], Int) = ([:], 0)
    guard bytes > 0, !collections.isEmpty else { return (counts, freed) }
    let places = collections.map { _ in "?" }.joined(separator: ", ")
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT sequence, collection, id, length(record) AS size FROM item
        WHERE collection IN (\(places)) ORDER BY written, sequence
        """, arguments: StatementArguments(Array(collections)))
    var sequences: [Int64] = []
    while freed < bytes, let row = try rows.next() {
      let address = LocalAddress(collection: try row.value("collection"), id: try row.value("id"))
      guard !kept(address) else { continue }
      sequences.append(try row.value("sequence"))
      counts[address.collection, default: 0] += 1
      freed += try row.value("size", as: Int.self)
    }
    for sequence in sequences { try removeRow(sequence) }
    return (counts, freed)
  }

  // MARK: Indexes

  /// Computes the indexes of the declared collections again, if others were declared before.
  ///
  /// - Parameter isForced: Whether they are computed in any case, because items were changed.
  func index(_ collections: [DeclaredCollection], isForced: Bool = false) throws {
    var former: [String: Set<String>] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT collection, name FROM declared") {
      former[try row.value("collection"), default: []].insert(try row.value("name"))
    }
    for collection in collections {
      let isKnown = former.removeValue(forKey: collection.name) ?? [] == Set(collection.indexNames)
      if !isKnown || isForced { try index(collection) }
    }
    // Those that are not declared any more.
    for name in former.keys.sorted() { try removeEntries(ofCollection: name) }
  }

  private func removeEntries(ofCollection name: String) throws {
    for table in ["entry", "declared"] {
      try database.execute(sql: "DELETE FROM \(table) WHERE collection = ?", arguments: [name])
    }
  }

  private func index(_ collection: DeclaredCollection) throws {
    try removeEntries(ofCollection: collection.name)
    let rows = try Row.fetchCursor(
      database, sql: "SELECT sequence, id, record FROM item WHERE collection = ?",
      arguments: [collection.name])
    while let row = try rows.next() {
      let address = LocalAddress(collection: collection.name, id: try row.value("id"))
      let json = try LocalRecord.json(row.bytes("record"), at: address, owner: owner)
      let entries: [LocalIndexEntry]
      do { entries = try collection.keys(json) } catch {
        throw LocalCoding.undecodable(error, address.subject)
      }
      try insert(entries, of: row.value("sequence"), in: collection.name)
    }
    for name in collection.indexNames {
      try database.execute(sql: "INSERT INTO declared VALUES (?, ?)", arguments: [collection.name, name])
    }
  }
}

extension LocalIndexKey.Storage: DatabaseValueConvertible {
  /// The number, or the bytes as a blob, in which a null byte doesn't end a text.
  var databaseValue: DatabaseValue {
    switch self {
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .bytes(let bytes): StoredBytes(bytes).databaseValue
    }
  }

  /// Creates a key from a value of the database.
  static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    switch value.storage {
    case .int64(let number): .integer(number)
    case .double(let number): .real(number)
    case .blob: StoredBytes.fromDatabaseValue(value).map { .bytes($0.bytes) }
    case .null, .string: nil
    }
  }
}
#endif
