#if SQLite
import DurableQueues
import GRDB

/// What a ``LocalStore`` has, read and changed in one step.
///
/// What was changed is read as changed. All changes are made when the closure returns, and none if it throws.
/// If one of them is to be written at once, all are.
public struct LocalTransaction: ~Copyable {
  let work: LocalWork

  /// Returns the value of a key.
  ///
  /// - Throws: `LocalStoreError` of kind `.undecodable` if it isn't of the key's type, or the failure of the
  ///   file.
  public func value<Value>(_ key: LocalKey<Value>) throws(LocalStoreError) -> Value {
    try LocalSchema.check(key.name, "a key")
    let address = LocalAddress.value(key.name)
    guard let json = try work.content(at: address) else { return key.defaultValue }
    return try LocalCoding.decode(Value.self, json, of: address.subject)
  }

  /// Sets the value of a key.
  ///
  /// - Throws: `LocalStoreError` of kind `.invalid` or `.tooLarge`.
  public func set<Value>(_ value: Value, for key: LocalKey<Value>) throws(LocalStoreError) {
    try LocalSchema.check(key.name, "a key")
    let address = LocalAddress.value(key.name)
    let json = try LocalCoding.encode(value, of: address.subject)
    try work.stage(json, at: address, key.writeTime)
  }

  /// Removes the value of a key, which then has its default value.
  public func removeValue<Value>(_ key: LocalKey<Value>) throws(LocalStoreError) {
    try LocalSchema.check(key.name, "a key")
    try work.stage(nil, at: .value(key.name), key.writeTime)
  }

  /// Returns the item with an ID; nil if there is none.
  public func item<Item>(
    _ id: Item.ID, of collection: LocalCollection<Item>
  ) throws(LocalStoreError) -> Item? {
    let address = try work.address(of: id, in: collection)
    guard let json = try work.content(at: address) else { return nil }
    return try LocalCoding.decode(Item.self, json, of: address.subject)
  }

  /// Returns the items of a query.
  ///
  /// - Throws: `LocalStoreError` of kind `.invalid` if the collection or the index isn't declared in the
  ///   schema.
  public func items<Item>(_ query: LocalQuery<Item>) throws(LocalStoreError) -> [Item] {
    try work.check(query.collection, index: query.range.index)
    var items: [Item] = []
    for found in try work.items(of: query.collection.name, in: query.range) {
      let address = LocalAddress(collection: query.collection.name, id: found.id)
      items.append(try LocalCoding.decode(Item.self, found.json, of: address.subject))
    }
    return items
  }

  /// Puts an item into a collection, in place of one with the same ID.
  ///
  /// - Throws: `LocalStoreError` of kind `.invalid` or `.tooLarge`.
  public func put<Item>(_ item: Item, in collection: LocalCollection<Item>) throws(LocalStoreError) {
    let address = try work.address(of: item.id, in: collection)
    let json = try LocalCoding.encode(item, of: address.subject)
    try work.stage(json, at: address, collection.writeTime, entries: collection.keys(of: item))
  }

  /// Removes the item with an ID, if there is one.
  public func remove<Item>(_ id: Item.ID, of collection: LocalCollection<Item>) throws(LocalStoreError) {
    let address = try work.address(of: id, in: collection)
    try work.stage(nil, at: address, collection.writeTime)
  }
}

/// The work of a transaction on the thread of the file.
final class LocalWork {
  private let tables: LocalTables
  private let schema: LocalSchema
  private let limits: LocalLimits
  /// Nil while the file is being opened.
  private let file: QueueFile?
  private let path: String
  /// The changes of former transactions that aren't in the file.
  private let waiting: StagedChanges
  private(set) var staged = StagedChanges()

  init(
    _ tables: LocalTables, _ schema: LocalSchema, _ limits: LocalLimits, file: QueueFile?, path: String,
    waiting: StagedChanges = StagedChanges()
  ) {
    (self.tables, self.schema, self.limits) = (tables, schema, limits)
    (self.file, self.path, self.waiting) = (file, path, waiting)
  }

  private var isMigrating: Bool { file == nil }

  /// Checks that a collection is declared as it is used.
  func check<Item>(_ collection: LocalCollection<Item>, index: String? = nil) throws(LocalStoreError) {
    guard !isMigrating else {
      try LocalSchema.check(collection.name, "a collection")
      guard index == nil else {
        throw LocalStoreError(
          .invalid, "A migration can't search \"\(collection.name)\" by an index; read all items.")
      }
      return
    }
    guard let declared = schema.collections.first(where: { $0.name == collection.name }),
      declared.type == ObjectIdentifier(Item.self), declared.indexNames == collection.indexes.map(\.name)
    else {
      throw LocalStoreError(
        .invalid,
        "The collection \"\(collection.name)\" isn't declared in the schema, or with another type or other "
          + "indexes; use one constant for both.")
    }
    if let index, !declared.indexNames.contains(index) {
      throw LocalStoreError(
        .invalid,
        "The collection \"\(collection.name)\" has no index \"\(index)\"; declare it with the collection.")
    }
  }

  func address<Item>(
    of id: Item.ID, in collection: LocalCollection<Item>
  ) throws(LocalStoreError) -> LocalAddress {
    try check(collection)
    return LocalAddress(
      collection: collection.name, id: try LocalCoding.text(ofID: id, in: collection.name))
  }

  /// The change of an address that isn't in the file.
  private func change(at address: LocalAddress) -> StagedChanges.Change? {
    staged.changes[address] ?? waiting.changes[address]
  }

  func content(at address: LocalAddress) throws(LocalStoreError) -> [UInt8]? {
    if let change = change(at: address) { return change.content?.json }
    return try read { try tables.content(at: address) }
  }

  func items(of collection: String, in range: LocalRange) throws(LocalStoreError) -> [LocalRange.Found] {
    var changes = waiting
    changes.add(staged)
    let changed = changes.inOrder.filter { $0.address.collection == collection }
    return try read {
      let rows = try tables.items(of: collection, in: range, except: Set(changed.map(\.address.id)))
      var found: [LocalRange.Found] = []
      for (address, change) in changed {
        guard let content = change.content, let key = range.key(among: content.entries) else { continue }
        found.append(
          LocalRange.Found(
            id: address.id, json: content.json, key: key,
            sequence: try tables.sequence(at: address) ?? .max, number: change.number))
      }
      return range.joined(rows, found)
    }
  }

  func stage(
    _ json: [UInt8]?, at address: LocalAddress, _ writeTime: LocalWriteTime,
    entries: [LocalIndexEntry] = []
  ) throws(LocalStoreError) {
    if let json, json.count > limits.valueBytes {
      throw LocalStoreError(
        .tooLarge,
        "\(address.subject) has more than \(limits.valueBytes) bytes; keep it in a file, or raise the limit.")
    }
    let formerBytes: Int
    if let known = change(at: address) {
      formerBytes = known.formerBytes
    } else {
      formerBytes = try read { try tables.size(at: address) }
    }
    let content = json.map {
      StagedChanges.Content(
        json: $0, entries: entries,
        bytes: LocalRecord.size(address, json: $0.count, owner: tables.owner))
    }
    staged.set(
      StagedChanges.Change(
        content: content, writeTime: writeTime, formerBytes: formerBytes,
        isEvictable: schema.evictableNames.contains(address.collection)), at: address)
  }

  /// Returns the result of a closure that reads the file, with its error as one of the store.
  private func read<Value>(_ work: () throws -> Value) throws(LocalStoreError) -> Value {
    do throws(QueueFileError) {
      if let file { return try file.check(work) }
      do { return try work() } catch { throw QueueFileError(error, path: path) }
    } catch { throw LocalStoreError(error) }
  }
}
#endif
