import APIManagers
import ListingsRoutes

/// Loads pages of homes from the API of their kind.
struct HomeLists {
  let host: HostApp

  func list(for route: ListingsRoute) async throws -> HomeList {
    let search = HomeSearch(
      city: route.city, maximumPrice: route.maximumPrice, beds: route.beds, page: route.page)
    return switch route.kind {
    case .house: try await load(HouseListAPI(), search)
    case .condo: try await load(CondoListAPI(), search)
    case .multi: try await load(MultiFamilyListAPI(), search)
    }
  }

  private func load<A: API>(_ api: A, _ search: HomeSearch) async throws -> HomeList
  where A.Params == HomeSearch {
    let manager = await APIManager(api, in: host)
    let answer = try await manager.response(for: search)
    return try answer.reformed(by: HomeListReformer(), from: manager.identity)
  }
}
