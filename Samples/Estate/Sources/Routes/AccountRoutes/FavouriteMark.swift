/// Whether a home is a favourite.
package enum FavouriteMark: String, Sendable, Hashable {
  /// It is none, as far as is known.
  case absent
  /// The server has it.
  case saved
  /// It waits for the network.
  case waiting
}

/// Knows which homes the user has marked, as far as the app has learnt it.
@MainActor package protocol FavouriteMarking: AnyObject, Sendable {
  func mark(of home: Int) -> FavouriteMark
}

/// The result of adding a favourite.
package enum FavouriteReceipt: Sendable, Hashable, CustomStringConvertible {
  /// The server has it, with the number of all favourites.
  case added(total: Int)
  /// It waits for the network, with the number of all favourites that wait.
  case queued(waiting: Int)

  package var count: Int {
    switch self {
    case .added(let count), .queued(let count): count
    }
  }

  package var description: String {
    switch self {
    case .added(let total): "added, \(total) in all"
    case .queued(let waiting): "queued until there is a network, \(waiting) waiting"
    }
  }
}
