import HTTPTypes
import Hummingbird

/// The endpoints that read: three lists, the detail, the rates.
struct ListingRoutes {
  let listings: Listings

  func add(to router: Router<BasicRequestContext>) {
    router.get("v1/houses") { request, _ in
      try Answer.json(HousesBody(page(of: .house, for: request)), freshness: .aMinute).response(to: request)
    }
    router.get("v1/condos") { request, _ in
      try Answer.json(CondosBody(page(of: .condo, for: request)), freshness: .aMinute).response(to: request)
    }
    router.get("v1/multi-family") { request, _ in
      try Answer.json(MultiFamilyBody(page(of: .multiFamily, for: request)), freshness: .aMinute)
        .response(to: request)
    }
    router.get("v1/homes/{id}") { [listings] request, context in
      let id = context.parameters.get("id") ?? ""
      let home = try listings.existing(id)
      return try Answer.json(HomeBody(home), freshness: .aMinute).response(to: request)
    }
    router.get("v1/mortgage-rates") { request, _ in
      try Answer.json(MortgageRatesBody(), freshness: .aMinute).response(to: request)
    }
  }

  private func page(of kind: HomeKind, for request: Request) throws -> ListingPage {
    let parameters = try QueryParameters(rawQuery: request.uri.query)
    return listings.page(of: kind, matching: try ListingQuery(parameters: parameters))
  }
}

extension Listings {
  /// The home that a text names; throws 404 `unknown_home`.
  func existing(_ text: String) throws(APIError) -> Home {
    guard let id = Int(text), let home = home(id) else { throw .unknownHome(text, count: homes.count) }
    return home
  }
}
