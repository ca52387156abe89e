/// A page of homes.
struct HomeList: Sendable, Hashable {
  /// How many homes a page holds.
  static let pageSize = 10

  /// How many homes there are on all pages.
  let total: Int
  let pages: Int
  let items: [HomeItem]

  init(total: Int, items: [HomeItem]) {
    self.total = total
    pages = max(1, (total + Self.pageSize - 1) / Self.pageSize)
    self.items = items
  }
}
