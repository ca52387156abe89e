/// Why there is no next page.
enum BrowsingFault: Error, Hashable, CustomStringConvertible {
  case nothingShown
  case notBrowsing
  case lastPage(Int)

  var description: String {
    switch self {
    case .nothingShown: "No list was opened yet; open estate://listings/house first."
    case .notBrowsing: "No list of browsed homes was opened yet; open estate://browse first."
    case .lastPage(let pages): "This is the last of \(pages) pages; open another list."
    }
  }
}
