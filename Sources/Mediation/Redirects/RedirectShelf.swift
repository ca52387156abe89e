import Synchronization

/// The current redirect table, shared by all threads; a reader sees one table or another, never a mixture.
final class RedirectShelf: Sendable {
  private let history: Mutex<RedirectHistory>
  /// Allows calls to skip the lock while there is no table.
  private let isEmpty = Atomic(true)

  init(minimumVersion: Int) { history = Mutex(RedirectHistory(minimumVersion: minimumVersion)) }

  /// The current table.
  var current: RedirectSnapshot? {
    isEmpty.load(ordering: .acquiring) ? nil : history.withLock { $0.current }
  }

  /// Returns whether the table differs from the current one; throws if it is out of date.
  func isNews(_ table: RedirectTable) throws(RedirectTableError) -> Bool {
    try history.withLock { history throws(RedirectTableError) in try history.isNews(table) }
  }

  /// Makes a table the current one; returns false if it has become so in the meantime.
  func enter(_ snapshot: RedirectSnapshot) throws(RedirectTableError) -> Bool {
    try history.withLock { history throws(RedirectTableError) in
      guard try history.isNews(snapshot.table) else { return false }
      history.enter(snapshot)
      isEmpty.store(false, ordering: .releasing)
      return true
    }
  }

  /// Changes the history and returns the version of the current table.
  func change(_ step: (inout RedirectHistory) -> Void) -> Int? {
    history.withLock { history in
      step(&history)
      isEmpty.store(history.current == nil, ordering: .releasing)
      return history.current?.version
    }
  }
}
