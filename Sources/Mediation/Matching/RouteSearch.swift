/// A look-up: what it overlooks, and what it found.
struct RouteSearch {
  /// What a look-up overlooks, to find out why a URL matches nothing.
  struct Leniency: OptionSet {
    let rawValue: Int
    static let missingFields = Leniency(rawValue: 1)
    static let kinds = Leniency(rawValue: 2)
  }

  let leniency: Leniency
  /// The entry found.
  var best: Int?
  /// So many nodes were visited.
  var visits = 0

  init(leniency: Leniency = []) { self.leniency = leniency }
}
