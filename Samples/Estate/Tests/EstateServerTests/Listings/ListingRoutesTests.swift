import HTTPTypes
import Testing

@testable import EstateServer

@Suite struct ListingRoutesTests {
  @Test("There are 866 houses, the first one from the file's first row")
  func houses() async throws {
    let reply = try await APICaller().get("/v1/houses")
    let body = try reply.json
    #expect(reply.status == .ok)
    #expect(reply.fields[.contentType] == "application/json; charset=utf-8")
    #expect(body["total"] == 866 && body["page"] == 1 && body["houses"].elements.count == 20)
    let first: JSON = [
      "id": 1, "city": "SACRAMENTO", "zip": "95838", "bed_count": 2, "bath_count": 1, "square_feet": 836,
      "price_usd": 59222, "lat": 38.631913, "lon": -121.434879,
    ]
    #expect(body["houses"].elements.first == first)
  }

  @Test("There are 53 condos, whose fields have other names")
  func condos() async throws {
    let body = try await APICaller().get("/v1/condos?size=100").json
    #expect(body["count"] == 53 && body["items"].elements.count == 53)
    let home = try #require(try Listings.sacramento().homes.first { $0.kind == .condo })
    let first: JSON = [
      "condo_id": JSON(home.id), "town": .string(home.city), "postcode": .string(home.zip),
      "bedrooms": JSON(home.beds), "bathrooms": .number(home.baths), "area_sqft": JSON(home.squareFeet),
      "asking_price": JSON(home.price),
      "location": ["lat": .number(home.latitude), "lng": .number(home.longitude)],
    ]
    #expect(body["items"].elements.first == first)
  }

  @Test("There are 13 multi-family houses, whose fields have a third set of names")
  func multiFamily() async throws {
    let result = try await APICaller().get("/v1/multi-family?size=5").json["result"]
    #expect(result["records"] == 13 && result["pages"] == 3 && result["page"] == 1)
    #expect(result["rows"].elements.count == 5)
    let home = try #require(try Listings.sacramento().homes.first { $0.kind == .multiFamily })
    let first: JSON = [
      "ref": JSON(home.id), "place": .string(home.city), "zipcode": .string(home.zip), "br": JSON(home.beds),
      "ba": .number(home.baths), "size": JSON(home.squareFeet), "cost": JSON(home.price),
      "coordinates": [.number(home.latitude), .number(home.longitude)],
    ]
    #expect(result["rows"].elements.first == first)
  }

  @Test("The pages together have every house once, and the page after the last one is empty")
  func pages() async throws {
    let caller = try APICaller()
    var ids: [Double] = []
    for (page, count) in (1...10).map({ ($0, $0 < 9 ? 100 : $0 == 9 ? 66 : 0) }) + [(100_000, 0)] {
      let body = try await caller.get("/v1/houses?size=100&page=\(page)").json
      #expect(body["houses"].elements.count == count && body["total"] == 866)
      ids += body["houses"].elements.compactMap { $0["id"].value }
    }
    #expect(Set(ids).count == 866 && ids.count == 866)
  }

  @Test("A filter returns exactly the homes that match")
  func filters() async throws {
    let target = "/v1/houses?size=100&min_price=200000&max_price=250000&city=Elk_Grove&beds=3"
    let body = try await APICaller().get(target).json
    let expected = try Listings.sacramento().homes.filter {
      $0.kind == .house && (200_000...250_000).contains($0.price) && $0.city == "ELK GROVE" && $0.beds >= 3
    }
    #expect(!expected.isEmpty)
    #expect(body["houses"].elements.map { $0["id"] } == expected.map { JSON($0.id) })
    #expect(body["total"] == JSON(expected.count))
    let nowhere = try await APICaller().get("/v1/houses?city=Atlantis").json
    #expect(nowhere["total"] == 0 && nowhere["houses"] == [])
  }

  @Test("An invalid size is 400 with a code and a sentence")
  func badPage() async throws {
    let reply = try await APICaller().get("/v1/houses?size=101")
    #expect(reply.status == .badRequest)
    let error: JSON = [
      "code": "bad_parameter", "message": "size must be a whole number from 1 to 100, not '101'.",
    ]
    #expect(try reply.json["error"] == error)
    #expect(reply.fields[.cacheControl] == "no-store")
    #expect(reply.fields[.eTag] == nil)
  }

  @Test("The detail has the same form for every kind")
  func detail() async throws {
    let caller = try APICaller()
    let homes = try Listings.sacramento().homes
    for kind in HomeKind.allCases {
      let home = try #require(homes.first { $0.kind == kind })
      let body = try await caller.get("/v1/homes/\(home.id)").json
      #expect(body["id"] == JSON(home.id) && body["kind"] == .string(kind.rawValue))
      #expect(body["city"] == .string(home.city) && body["price"] == JSON(home.price))
    }
  }

  @Test("The places of all homes are one small response, which caches keep for an hour")
  func places() async throws {
    let caller = try APICaller()
    let reply = try await caller.get("/v1/places")
    #expect(reply.bytes.count < 40_000 && reply.fields[.cacheControl] == "private, max-age=3600")
    let places = try reply.json
    let homes = try Listings.sacramento().homes
    func named(_ indexes: String, in names: String) -> [String?] {
      let names = places[names].elements
      return places[indexes].elements.map { index in index.value.flatMap { names[Int($0)].text } }
    }
    for (list, value) in [("id", \.id), ("beds", \.beds), ("price", \.price)]
      as [(String, KeyPath<Home, Int>)]
    {
      #expect(places[list].elements == homes.map { JSON($0[keyPath: value]) })
    }
    #expect(named("city", in: "cities") == homes.map(\.city))
    #expect(named("kind", in: "kinds") == homes.map(\.kind.rawValue))
    #expect(places["lat"].elements == homes.map { .number($0.latitude) })
    #expect(places["lon"].elements == homes.map { .number($0.longitude) })
    let coded = try await caller.get("/v1/places", fields: [.acceptEncoding: "gzip"])
    #expect(coded.bytes.count < 16_000)
    let tag = try #require(reply.fields[.eTag])
    #expect(try await caller.get("/v1/places", fields: [.ifNoneMatch: tag]).status == .notModified)
  }

  @Test("Several homes are a line each, with the status of each")
  func severalHomes() async throws {
    let caller = try APICaller()
    let reply = try await caller.get("/v1/homes?ids=42,100000,1")
    let lines = reply.text.split(separator: "\n")
    #expect(reply.status == .ok)
    #expect(lines.map { $0.prefix { $0 != "{" } } == ["42 200 ", "100000 404 ", "1 200 "])
    #expect(try await lines.first?.dropFirst(7) == caller.get("/v1/homes/42").text[...])
    #expect(lines.dropFirst().first?.contains("unknown_home") == true)
  }

  @Test(
    "A list of homes that is empty, too long or not of numbers is refused",
    arguments: [
      "", "?ids=", "?ids=1,", "?ids=one", "?ids=1,%0A2", "?ids=+1",
      "?ids=" + (1...21).map(String.init).joined(separator: ","),
    ])
  func badHomes(query: String) async throws {
    let reply = try await APICaller().get("/v1/homes\(query)")
    #expect(reply.status == .badRequest && reply.errorCode == "bad_parameter")
  }

  @Test("An unknown home is 404", arguments: ["0", "933", "-1", "one", "1.0", "99999999999999999999"])
  func unknownHome(id: String) async throws {
    let reply = try await APICaller().get("/v1/homes/\(id)")
    #expect(reply.status == .notFound)
    #expect(reply.errorCode == "unknown_home")
  }

  @Test("An unknown path and an unknown method are 404 with the API's error body")
  func unknownPath() async throws {
    let caller = try APICaller()
    let path = try await caller.get("/v1/castles")
    #expect(path.status == .notFound && path.errorCode == "not_found")
    let method = try await caller.call(.put, "/v1/houses")
    #expect(method.status == .notFound && method.errorCode == "not_found")
  }

  @Test("The mortgage rates include one for 30 years")
  func rates() async throws {
    let rates = try await APICaller().get("/v1/mortgage-rates").json["rates"].elements
    #expect(rates.contains(["years": 30, "percent": 6.5]))
  }

  @Test("The demo faults fail as documented")
  func faults() async throws {
    let caller = try APICaller()
    let broken = try await caller.get("/v1/demo/broken-json")
    #expect(broken.status == .ok)
    #expect(throws: DecodingError.self) { try broken.json }
    let failing = try await caller.get("/v1/demo/error500")
    #expect(failing.status == .internalServerError && failing.errorCode == "demo_failure")
  }

  @Test("The former address of a home redirects to the present one")
  func moved() async throws {
    let api = try APICaller()
    let reply = try await api.get("/v1/listings/42")
    #expect(reply.status == .movedPermanently && reply.fields[.location] == "/v1/homes/42")
    #expect(try await api.get("/v1/listings/0").errorCode == "unknown_home")
  }
}
