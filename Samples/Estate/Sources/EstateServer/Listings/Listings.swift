package struct Listings: Sendable {
  /// The homes in the order of the file; the home with the id `n` is the `n`th.
  package let homes: [Home]
  private let byKind: [HomeKind: [Home]]

  /// Reads a listings file from memory.
  ///
  /// Throws the first fault with its line number.
  package init(csv bytes: [UInt8]) throws(ListingsError) {
    homes = try ListingsFile.homes(in: bytes)
    byKind = Dictionary(grouping: homes, by: \.kind)
  }

  /// The 932 homes that come with the sample.
  package static func sacramento() throws(ListingsError) -> Listings {
    try Listings(csv: PackageResources.sacramento_homes_csv)
  }

  package func home(_ id: Int) -> Home? {
    homes.indices.contains(id - 1) ? homes[id - 1] : nil
  }

  /// Returns the page of homes of one kind for a query.
  ///
  /// O(number of homes of that kind).
  package func page(of kind: HomeKind, matching query: ListingQuery) -> ListingPage {
    let found = (byKind[kind] ?? []).filter(query.matches)
    // Both factors are bounded by the query, so the product cannot overflow.
    let start = (query.page - 1) * query.size
    let homes = start < found.count ? found[start..<min(start + query.size, found.count)] : []
    return ListingPage(number: query.page, size: query.size, total: found.count, homes: Array(homes))
  }
}
