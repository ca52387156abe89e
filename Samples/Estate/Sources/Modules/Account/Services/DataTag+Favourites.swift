import APIManagers
import Interception

extension DataTag {
  /// The member's favourite homes.
  static let favourites: DataTag = "favourites"
}
