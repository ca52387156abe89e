/// Knows which homes the user has marked, as far as the app has learnt it.
@MainActor public protocol FavouriteMarking: AnyObject, Sendable {
  /// Returns the mark of a home.
  func mark(of home: Int) -> FavouriteMark
}

/// Whether a home is a favourite.
public enum FavouriteMark: String, Sendable, Hashable {
  /// It is none, as far as is known.
  case absent
  /// The server has it.
  case saved
  /// It waits for the network.
  case waiting
}
