#if SQLite
/// The collections of a ``LocalStore``, and how files of former versions are changed.
///
/// ```swift
/// let schema = LocalSchema(
///   collections: notes, searches,
///   migrations: [
///     // From version 1 to version 2: a note had no home.
///     LocalMigration { data in
///       for old in try data.items(LocalQuery(LocalCollection<FormerNote>("notes"))) {
///         try data.put(Note(id: old.id, home: 0, text: old.text), in: notes)
///       }
///     }
///   ])
/// ```
public struct LocalSchema: Sendable {
  /// The highest version that a file can have.
  static let maximumVersion = 1 << 20

  let collections: [DeclaredCollection]
  let migrations: [LocalMigration]

  /// The names of the collections whose items may be evicted.
  let evictableNames: Set<String>

  /// The version of the files: the number of migrations plus one.
  var version: Int { migrations.count + 1 }

  /// Creates a schema.
  ///
  /// - Parameters:
  ///   - collections: All collections that the store has. Values need no declaration.
  ///   - migrations: The migration to each version from 2 on. Never remove one: the version of the files is
  ///     the number of migrations plus one.
  public init<each Item>(
    collections: repeat LocalCollection<each Item>, migrations: [LocalMigration] = []
  ) {
    var all: [DeclaredCollection] = []
    repeat all.append((each collections).declared)
    self.collections = all
    evictableNames = Set(all.filter(\.isEvictable).map(\.name))
    self.migrations = migrations
  }

  /// Checks the names.
  func check() throws(LocalStoreError) {
    guard version <= Self.maximumVersion else {
      throw LocalStoreError(.invalid, "The schema has more than \(Self.maximumVersion - 1) migrations.")
    }
    var names: Set<String> = []
    for collection in collections {
      try Self.check(collection.name, "a collection")
      guard names.insert(collection.name).inserted else {
        throw LocalStoreError(
          .invalid, "The schema has two collections \"\(collection.name)\"; give one another name.")
      }
      var indexes: Set<String> = []
      for index in collection.indexNames {
        try Self.check(index, "an index of \"\(collection.name)\"")
        guard indexes.insert(index).inserted else {
          throw LocalStoreError(
            .invalid,
            "The collection \"\(collection.name)\" has two indexes \"\(index)\"; give one another name.")
        }
      }
    }
  }

  static func check(_ name: String, _ subject: String) throws(LocalStoreError) {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw LocalStoreError(
        .invalid, "The name of \(subject) is empty or contains a null byte; give it another one.")
    }
  }
}

/// A change of a file from one version of the schema to the next one.
///
/// All migrations of a file run in one transaction when it is opened. If one throws, or an item can't be
/// decoded afterwards as its collection declares, the file stays as it was.
public struct LocalMigration: Sendable {
  let change: @Sendable (borrowing LocalTransaction) throws -> Void

  /// Creates a migration.
  ///
  /// - Parameter change: Changes what is stored. It reads by keys and collections of the former types, which
  ///   need not be declared and can't be searched by an index, and writes by those of the new ones.
  public init(_ change: @escaping @Sendable (_ data: borrowing LocalTransaction) throws -> Void) {
    self.change = change
  }
}
#endif
