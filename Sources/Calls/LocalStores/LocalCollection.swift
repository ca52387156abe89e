#if SQLite
/// The typed name of a collection in a ``LocalStore``, whose items have IDs, with its indexes.
///
/// ```swift
/// struct Note: Codable, Identifiable, Sendable {
///   var id: Int
///   var home: Int
///   var text: String
/// }
/// let byHome = LocalIndex("home") { (note: Note) in note.home }
/// let notes = LocalCollection("notes", indexes: byHome)
/// ```
public struct LocalCollection<Item: Codable & Identifiable & Sendable>: Sendable
where Item.ID: Codable & Sendable {
  /// An index without the type of its values.
  struct AnyIndex: Sendable {
    let name: String
    let key: @Sendable (Item) -> LocalIndexKey.Storage?
  }

  /// The name, unique in the store.
  package let name: String
  /// When an item is written.
  package let writeTime: LocalWriteTime
  /// Whether items may be removed if the store needs room.
  package let isEvictable: Bool
  let indexes: [AnyIndex]

  /// Creates a collection.
  ///
  /// - Parameters:
  ///   - name: The name, which stays the same in all versions of the app; not empty, without a null byte.
  ///   - indexes: The properties by which items are found. A new one needs no migration.
  ///   - writeTime: When an item is written.
  ///   - isEvictable: Whether the items that were written longest ago may be removed if the store needs room,
  ///     because the app can get them again.
  public init<each Value: LocalIndexValue>(
    _ name: String, indexes: repeat LocalIndex<Item, each Value>, written writeTime: LocalWriteTime = .now,
    isEvictable: Bool = false
  ) {
    self.name = name
    self.writeTime = writeTime
    self.isEvictable = isEvictable
    var all: [AnyIndex] = []
    repeat all.append(Self.erased(each indexes))
    self.indexes = all
  }

  private static func erased<Value>(_ index: LocalIndex<Item, Value>) -> AnyIndex {
    AnyIndex(name: index.name) { [value = index.value] item in value(item)?.localIndexKey.storage }
  }

  /// What the indexes have of an item.
  func keys(of item: Item) -> [LocalIndexEntry] {
    indexes.compactMap { index in index.key(item).map { LocalIndexEntry(name: index.name, key: $0) } }
  }

  /// The collection without the type of its items.
  var declared: DeclaredCollection {
    DeclaredCollection(
      name: name, type: ObjectIdentifier(Item.self), indexNames: indexes.map(\.name),
      isEvictable: isEvictable
    ) { json in keys(of: try LocalCoding.decode(Item.self, json)) }
  }
}

/// What an index has of an item.
struct LocalIndexEntry: Sendable, Hashable {
  let name: String
  let key: LocalIndexKey.Storage
}

/// A collection without the type of its items.
struct DeclaredCollection: Sendable {
  let name: String
  let type: ObjectIdentifier
  let indexNames: [String]
  let isEvictable: Bool
  /// Returns what the indexes have of an item, and throws a `DecodingError` if it can't be decoded.
  let keys: @Sendable (_ json: [UInt8]) throws -> [LocalIndexEntry]
}
#endif
