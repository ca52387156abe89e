public import AccountRoutes

/// The marks of homes, as the app has learnt them from lists of favourites and from changes.
@MainActor public final class FavouriteMarks: FavouriteMarking {
  private var saved: Set<Int> = []
  private var waiting: Set<Int> = []

  /// Creates marks of no home.
  nonisolated public init() {}

  /// Returns the mark of a home.
  public func mark(of home: Int) -> FavouriteMark {
    waiting.contains(home) ? .waiting : saved.contains(home) ? .saved : .absent
  }

  /// Takes over what a list has shown.
  ///
  /// - Parameter known: What the server has; `nil` if it was not asked.
  func update(saved known: [Int]?, waiting: [Int]) {
    if let known { saved = Set(known) }
    self.waiting = Set(waiting)
  }

  /// Notes that the server has a home.
  func add(_ home: Int) {
    saved.insert(home)
    waiting.remove(home)
  }

  /// Forgets everything, because the member has logged out.
  func removeAll() {
    saved = []
    waiting = []
  }
}
