import Synchronization

/// Keeps the redirect table in force for readers of all threads: each sees one table or another, never a
/// mixture.
final class RedirectShelf: Sendable {
  private let history: Mutex<RedirectHistory>
  /// Spares calls the lock as long as there is no table.
  private let isEmpty = Atomic(true)

  init(minimumVersion: Int) { history = Mutex(RedirectHistory(minimumVersion: minimumVersion)) }

  /// The table in force.
  var current: RedirectSnapshot? {
    isEmpty.load(ordering: .acquiring) ? nil : history.withLock { $0.current }
  }

  /// Whether the table would change anything; throws if it is out of date.
  func isNews(_ table: RedirectTable) throws(RedirectTableError) -> Bool {
    try history.withLock { history throws(RedirectTableError) in try history.isNews(table) }
  }

  /// Puts a table in force; false if it was meanwhile.
  func enter(_ snapshot: RedirectSnapshot) throws(RedirectTableError) -> Bool {
    try history.withLock { history throws(RedirectTableError) in
      guard try history.isNews(snapshot.table) else { return false }
      history.enter(snapshot)
      isEmpty.store(false, ordering: .releasing)
      return true
    }
  }

  /// Goes back to another table; the version then in force.
  func change(_ step: (inout RedirectHistory) -> Void) -> Int? {
    history.withLock { history in
      step(&history)
      isEmpty.store(history.current == nil, ordering: .releasing)
      return history.current?.version
    }
  }
}
