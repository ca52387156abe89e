import Interception

extension Pager {
  /// Creates a pager that loads the pages with a manager, which it retains.
  ///
  /// ```swift
  /// struct HousePage: Reformer {
  ///   func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> PageContent<House> {
  ///     PageContent(
  ///       try response.json(as: [House].self), next: .link(in: response.headerFields, query: "page"))
  ///   }
  /// }
  /// func pager(of houses: APIManager<HouseList>) -> Pager<House> {
  ///   Pager(houses, reformer: HousePage()) { HouseList.Params(city: "Lyon", page: $0.number) }
  /// }
  /// ```
  ///
  /// After a refresh the pages are loaded with the cache mode `reload`, so that no page comes from before it.
  /// The manager's delegate is not called.
  ///
  /// - Parameters:
  ///   - manager: Loads the pages. Give each pager a manager of its own.
  ///   - reformer: Converts a response into the content of a page, on the main actor.
  ///   - size: The number of items of a page; 20 by default, at least 1.
  ///   - limits: The bounds of the list.
  ///   - params: Returns the params with which a page is requested.
  public convenience init<A: API, R: Reformer>(
    _ manager: APIManager<A>, reformer: R, size: Int = 20, limits: PageLimits = PageLimits(),
    params: @escaping @MainActor (PageRequest) -> A.Params
  ) where R.Output == PageContent<Item> {
    self.init(size: size, limits: limits) { page in
      try await manager.response(
        for: params(page), with: reformer, cacheMode: page.isReload ? .reload : nil)
    }
  }
}
