import Interception

extension APIClient {
  /// Returns the items of a list that an API loads page by page, as an asynchronous sequence.
  ///
  /// ```swift
  /// let houses = client.items(of: HouseList()) { page in
  ///   HouseList.Params(city: "Lodi", page: page.number)
  /// } content: { list in
  ///   PageContent(list.houses, next: .total(list.count))
  /// }
  /// for try await house in houses { print(house.id) }
  /// ```
  ///
  /// Each page is loaded as by ``load(_:_:cacheMode:reportingTo:)`` when the items before it have been read,
  /// or while those of the page before are. A screen uses ``Pager``.
  ///
  /// - Parameters:
  ///   - size: The number of items of a page; 20 by default, at least 1.
  ///   - limits: The bounds of the list.
  ///   - looksAhead: Whether the next page is loaded while the items of a page are read; true by default.
  ///   - params: Returns the params with which a page is requested.
  ///   - content: Returns the items of an output, and what it says of the next page.
  public func items<A: API, Item: Identifiable & Sendable>(
    of api: A, size: Int = 20, limits: PageLimits = PageLimits(), looksAhead: Bool = true,
    params: @escaping @Sendable (PageRequest) -> A.Params,
    content: @escaping @Sendable (A.Output) throws -> PageContent<Item>
  ) -> PagedItems<Item> where Item.ID: Sendable {
    PagedItems(size: size, limits: limits, looksAhead: looksAhead) { page in
      try content(try await load(api, params(page), cacheMode: page.isReload ? .reload : nil))
    }
  }

  /// Returns the items of a list whose API has the content of a page as its output.
  public func items<A: API, Item: Identifiable & Sendable>(
    of api: A, size: Int = 20, limits: PageLimits = PageLimits(), looksAhead: Bool = true,
    params: @escaping @Sendable (PageRequest) -> A.Params
  ) -> PagedItems<Item> where Item.ID: Sendable, A.Output == PageContent<Item> {
    items(of: api, size: size, limits: limits, looksAhead: looksAhead, params: params) { $0 }
  }

  /// Returns the pages of a list that an API loads page by page: the items of each, without duplicates and
  /// without empty pages.
  ///
  /// It has the parameters of ``items(of:size:limits:looksAhead:params:content:)``, but for the look-ahead: a
  /// page is loaded when it is asked for.
  public func pages<A: API, Item: Identifiable & Sendable>(
    of api: A, size: Int = 20, limits: PageLimits = PageLimits(),
    params: @escaping @Sendable (PageRequest) -> A.Params,
    content: @escaping @Sendable (A.Output) throws -> PageContent<Item>
  ) -> PagedItems<Item>.Pages where Item.ID: Sendable {
    items(of: api, size: size, limits: limits, looksAhead: false, params: params, content: content).pages
  }

  /// Returns the pages of a list whose API has the content of a page as its output.
  public func pages<A: API, Item: Identifiable & Sendable>(
    of api: A, size: Int = 20, limits: PageLimits = PageLimits(),
    params: @escaping @Sendable (PageRequest) -> A.Params
  ) -> PagedItems<Item>.Pages where Item.ID: Sendable, A.Output == PageContent<Item> {
    pages(of: api, size: size, limits: limits, params: params) { $0 }
  }
}
