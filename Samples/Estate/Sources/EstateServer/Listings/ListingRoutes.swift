import HTTPServing
import HTTPTypes

/// The endpoints that read: three lists, the places of all homes, the details of homes, the mortgage rates.
struct ListingRoutes {
  let listings: Listings
  let notes: NoteBook

  func add(to router: inout HTTPRouter<Answer>) {
    router.on(.get, "/v1/houses") { request in
      try Answer.json(page(of: .house, for: request).houses, freshness: .aMinute)
    }
    router.on(.get, "/v1/condos") { request in
      try Answer.json(page(of: .condo, for: request).condos, freshness: .aMinute)
    }
    router.on(.get, "/v1/multi-family") { request in
      try Answer.json(page(of: .multiFamily, for: request).multiFamily, freshness: .aMinute)
    }
    router.on(.get, "/v1/places") { [listings] _ in
      try Answer.json(listings.places, freshness: .anHour)
    }
    router.on(.get, "/v1/homes/{id}") { _, id in try home(id) }
    router.on(.get, "/v1/homes") { request in try homes(for: request) }
    // The address of homes in the first version of the API.
    router.on(.get, "/v1/listings/{id}") { [listings] _, id in
      let home = try listings.existing(id)
      return Answer(status: .movedPermanently, fields: [.location: "/v1/homes/\(home.id)"])
    }
    router.on(.get, "/v1/mortgage-rates") { _ in
      // Fictitious ones.
      let rates = [(10, 5.5), (15, 5.75), (20, 6.25), (30, 6.5)] as [(Double, Double)]
      return try Answer.json(
        ["rates": rates.map { ["years": $0.0, "percent": $0.1] }], freshness: .aMinute)
    }
  }

  private func home(_ id: String) throws -> Answer {
    let home = try listings.existing(id)
    return try Answer.json(home.body(noteCount: notes.notes(about: home.id).count), freshness: .aMinute)
  }

  /// Returns several homes: a line for each, with its id, its status and its body.
  private func homes(for request: ReceivedRequest) throws -> Answer {
    let ids = try QueryParameters(rawQuery: request.query.map(String.init)).value("ids") ?? ""
    let numbers = ids.split(separator: ",").compactMap { Int($0) }
    guard (1...20).contains(numbers.count), numbers.map(String.init).joined(separator: ",") == ids else {
      throw APIError.badParameter("ids has 1 to 20 ids of homes, separated by commas.")
    }
    var answer = Answer(mediaType: "text/plain; charset=utf-8")
    for number in numbers {
      let part: Answer
      do {
        part = try home(String(number))
      } catch let error as APIError {
        part = try error.answer()
      }
      answer.bytes += Array("\(number) \(part.status.code) ".utf8) + part.bytes + [UInt8(ascii: "\n")]
    }
    return answer
  }

  private func page(of kind: HomeKind, for request: ReceivedRequest) throws(APIError) -> ListingPage {
    let parameters = try QueryParameters(rawQuery: request.query.map(String.init))
    return listings.page(of: kind, matching: try ListingQuery(parameters: parameters))
  }
}

extension Listings {
  /// Returns the home of an id in decimal digits; throws 404 `unknown_home`.
  func existing(_ text: String) throws(APIError) -> Home {
    guard let id = Int(text), let home = home(id) else { throw .unknownHome(text, count: homes.count) }
    return home
  }
}
