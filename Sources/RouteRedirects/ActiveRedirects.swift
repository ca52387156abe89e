import Synchronization

/// The current redirect table, shared by all threads; a reader sees one table or another, never a mixture.
final class ActiveRedirects: Sendable {
  private let history: Mutex<RedirectHistory>
  /// Allows calls to skip the lock while there is no table.
  private let isEmpty = Atomic(true)

  init(minimumVersion: Int) { history = Mutex(RedirectHistory(minimumVersion: minimumVersion)) }

  /// The current table.
  var current: CheckedTable? {
    isEmpty.load(ordering: .acquiring) ? nil : history.withLock { $0.current }
  }

  /// Returns whether the table differs from the current one; throws if it is out of date.
  func isNew(_ table: RedirectTable) throws(RedirectTableError) -> Bool {
    try history.withLock { history throws(RedirectTableError) in try history.isNew(table) }
  }

  /// Makes a table the current one; returns false if it has become so in the meantime.
  func activate(_ checked: CheckedTable) throws(RedirectTableError) -> Bool {
    try history.withLock { history throws(RedirectTableError) in
      guard try history.isNew(checked.table) else { return false }
      history.activate(checked)
      isEmpty.store(false, ordering: .releasing)
      return true
    }
  }

  /// Changes the history and returns the version of the current table.
  func change(_ body: (inout RedirectHistory) -> Void) -> Int? {
    history.withLock { history in
      body(&history)
      isEmpty.store(history.current == nil, ordering: .releasing)
      return history.current?.version
    }
  }
}
