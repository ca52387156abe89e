/// The result of adding a favourite.
public enum FavouriteReceipt: Sendable, Hashable, CustomStringConvertible {
  /// The server has it, with the number of all favourites.
  case added(total: Int)
  /// It waits for the network, with the number of all favourites that wait.
  case queued(waiting: Int)

  /// The number of the receipt.
  public var count: Int {
    switch self {
    case .added(let total): total
    case .queued(let waiting): waiting
    }
  }

  /// A sentence for people.
  public var description: String {
    switch self {
    case .added(let total): "added, \(total) in all"
    case .queued(let waiting): "queued until there is a network, \(waiting) waiting"
    }
  }
}
