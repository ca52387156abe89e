import Synchronization

/// The homes each user marked, in the order of marking, in memory until the server stops.
final class Favourites: Sendable {
  private let marks = Mutex<[String: [Int]]>([:])

  /// Marks a home; `false` when it was marked before.
  func add(_ home: Int, for user: String) -> Bool {
    marks.withLock { marks in
      if marks[user, default: []].contains(home) { return false }
      marks[user, default: []].append(home)
      return true
    }
  }

  /// Takes a mark away; `false` when there was none.
  func remove(_ home: Int, for user: String) -> Bool {
    marks.withLock { marks in
      guard let index = marks[user]?.firstIndex(of: home) else { return false }
      marks[user]?.remove(at: index)
      return true
    }
  }

  func homes(of user: String) -> [Int] {
    marks.withLock { $0[user] ?? [] }
  }
}
