struct HomeList: Sendable, Hashable {
  /// The number of homes on a full page.
  static let pageSize = 10

  /// The number of homes on all pages.
  let total: Int
  let pages: Int
  let items: [HomeItem]

  init(total: Int, items: [HomeItem]) {
    self.total = total
    pages = max(1, (total + Self.pageSize - 1) / Self.pageSize)
    self.items = items
  }
}
