package import AccountRoutes

/// The marks of homes, as the app has learnt them from lists of favourites and from changes.
@MainActor package final class FavouriteMarks: FavouriteMarking {
  private var saved: Set<Int> = []
  private var waiting: Set<Int> = []

  nonisolated package init() {}

  package func mark(of home: Int) -> FavouriteMark {
    waiting.contains(home) ? .waiting : saved.contains(home) ? .saved : .absent
  }

  /// Takes over what a list has shown.
  ///
  /// - Parameter known: What the server has; `nil` if it was not asked.
  func update(saved known: [Int]?, waiting: [Int]) {
    if let known { saved = Set(known) }
    self.waiting = Set(waiting)
  }

  func add(_ home: Int) {
    saved.insert(home)
    waiting.remove(home)
  }

  func removeAll() {
    saved = []
    waiting = []
  }
}
