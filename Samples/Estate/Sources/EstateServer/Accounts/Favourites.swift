import Synchronization

/// The favourites of each user in the order in which they were added, in memory.
final class Favourites: Sendable {
  private let marks = Mutex<[String: [Int]]>([:])

  func add(_ home: Int, for user: String) -> Bool {
    marks.withLock { marks in
      if marks[user, default: []].contains(home) { return false }
      marks[user, default: []].append(home)
      return true
    }
  }

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
