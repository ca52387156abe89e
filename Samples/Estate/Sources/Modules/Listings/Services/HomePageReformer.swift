import APIManagers

/// Turns a response into a page of a list that a pager loads.
struct HomePageReformer: Reformer {
  func reform(_ answer: APIResponse, from manager: ManagerIdentity) throws -> PageContent<HomeItem> {
    let list = try HomeListReformer().reform(answer, from: manager)
    return PageContent(list.items, next: .total(list.total))
  }
}
