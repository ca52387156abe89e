import HTTPTypes
import Testing

@testable import EstateServer

@Suite struct ListingRoutesTests {
  struct Houses: Decodable {
    struct House: Decodable, Equatable {
      let id: Int
      let city: String
      let zip: String
      let bed_count: Int
      let bath_count: Double
      let square_feet: Int
      let price_usd: Int
      let lat: Double
      let lon: Double
    }
    let total: Int
    let page: Int
    let houses: [House]
  }
  struct Condos: Decodable {
    struct Condo: Decodable {
      struct Location: Decodable {
        let lat: Double
        let lng: Double
      }
      let condo_id: Int
      let town: String
      let postcode: String
      let bedrooms: Int
      let bathrooms: Double
      let area_sqft: Int
      let asking_price: Int
      let location: Location
    }
    let count: Int
    let page: Int
    let items: [Condo]
  }
  struct MultiFamily: Decodable {
    struct Rows: Decodable {
      let rows: [Row]
      let page: Int
      let pages: Int
      let records: Int
    }
    struct Row: Decodable {
      let ref: Int
      let place: String
      let zipcode: String
      let br: Int
      let ba: Double
      let size: Int
      let cost: Int
      let coordinates: [Double]
    }
    let result: Rows
  }
  struct Detail: Decodable {
    let id: Int
    let kind: String
    let city: String
    let price: Int
  }

  @Test("There are 866 houses, the first one from the file's first row")
  func houses() async throws {
    let reply = try await APICaller().get("/v1/houses")
    let body: Houses = try reply.json()
    #expect(reply.status == .ok)
    #expect(reply.fields[.contentType] == "application/json; charset=utf-8")
    #expect(body.total == 866 && body.page == 1 && body.houses.count == 20)
    let first = Houses.House(
      id: 1, city: "SACRAMENTO", zip: "95838", bed_count: 2, bath_count: 1, square_feet: 836,
      price_usd: 59222, lat: 38.631913, lon: -121.434879)
    #expect(body.houses.first == first)
  }

  @Test("There are 53 condos, whose fields have other names")
  func condos() async throws {
    let body: Condos = try await APICaller().get("/v1/condos?size=100").json()
    #expect(body.count == 53 && body.items.count == 53)
    let first = try #require(body.items.first)
    let home = try #require(try Listings.sacramento().home(first.condo_id))
    #expect(home.kind == .condo)
    #expect(first.town == home.city && first.postcode == home.zip && first.bedrooms == home.beds)
    #expect(first.bathrooms == home.baths && first.area_sqft == home.squareFeet)
    #expect(first.asking_price == home.price)
    #expect(first.location.lat == home.latitude && first.location.lng == home.longitude)
  }

  @Test("There are 13 multi-family houses, whose fields have a third set of names")
  func multiFamily() async throws {
    let result = try await APICaller().get("/v1/multi-family?size=5").json(as: MultiFamily.self).result
    #expect(result.records == 13 && result.pages == 3 && result.page == 1 && result.rows.count == 5)
    let first = try #require(result.rows.first)
    let home = try #require(try Listings.sacramento().home(first.ref))
    #expect(home.kind == .multiFamily)
    #expect(first.place == home.city && first.zipcode == home.zip && first.br == home.beds)
    #expect(first.ba == home.baths && first.size == home.squareFeet && first.cost == home.price)
    #expect(first.coordinates == [home.latitude, home.longitude])
  }

  @Test("The pages together have every house once, and the page after the last one is empty")
  func pages() async throws {
    let caller = try APICaller()
    var ids: [Int] = []
    for page in 1...9 {
      let body: Houses = try await caller.get("/v1/houses?size=100&page=\(page)").json()
      #expect(body.houses.count == (page < 9 ? 100 : 66))
      ids += body.houses.map(\.id)
    }
    #expect(Set(ids).count == 866 && ids.count == 866)
    let beyond: Houses = try await caller.get("/v1/houses?size=100&page=10").json()
    #expect(beyond.houses.isEmpty && beyond.total == 866)
    let far: Houses = try await caller.get("/v1/houses?size=100&page=100000").json()
    #expect(far.houses.isEmpty)
  }

  @Test("A filter returns exactly the homes that match")
  func filters() async throws {
    let target = "/v1/houses?size=100&min_price=200000&max_price=250000&city=Elk_Grove&beds=3"
    let body: Houses = try await APICaller().get(target).json()
    let expected = try Listings.sacramento().homes.filter {
      $0.kind == .house && (200_000...250_000).contains($0.price) && $0.city == "ELK GROVE" && $0.beds >= 3
    }
    #expect(!expected.isEmpty)
    #expect(body.houses.map(\.id) == expected.map(\.id))
    #expect(body.total == expected.count)
    let nowhere: Houses = try await APICaller().get("/v1/houses?city=Atlantis").json()
    #expect(nowhere.total == 0 && nowhere.houses.isEmpty)
  }

  @Test("An invalid size is 400 with a code and a sentence")
  func badPage() async throws {
    let reply = try await APICaller().get("/v1/houses?size=101")
    #expect(reply.status == .badRequest)
    let error = try reply.json(as: ErrorReply.self).error
    #expect(error.code == "bad_parameter")
    #expect(error.message == "size must be a whole number from 1 to 100, not '101'.")
    #expect(reply.fields[.cacheControl] == "no-store")
    #expect(reply.fields[.eTag] == nil)
  }

  @Test("The detail has the same form for every kind")
  func detail() async throws {
    let caller = try APICaller()
    let homes = try Listings.sacramento().homes
    for kind in HomeKind.allCases {
      let home = try #require(homes.first { $0.kind == kind })
      let body: Detail = try await caller.get("/v1/homes/\(home.id)").json()
      #expect(body.id == home.id && body.kind == kind.rawValue && body.city == home.city)
      #expect(body.price == home.price)
    }
  }

  struct Places: Decodable {
    let cities: [String]
    let kinds: [String]
    let id: [Int]
    let city: [Int]
    let kind: [Int]
    let beds: [Int]
    let price: [Int]
    let lat: [Double]
    let lon: [Double]
  }

  @Test("The places of all homes are one small response, which caches keep for an hour")
  func places() async throws {
    let caller = try APICaller()
    let reply = try await caller.get("/v1/places")
    #expect(reply.bytes.count < 40_000 && reply.fields[.cacheControl] == "private, max-age=3600")
    let places = try reply.json(as: Places.self)
    let homes = try Listings.sacramento().homes
    #expect(places.id == homes.map(\.id) && places.beds == homes.map(\.beds))
    #expect(places.city.map { places.cities[$0] } == homes.map(\.city))
    #expect(places.kind.map { places.kinds[$0] } == homes.map(\.kind.rawValue))
    #expect(places.price == homes.map(\.price))
    #expect(places.lat == homes.map(\.latitude) && places.lon == homes.map(\.longitude))
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
    struct Rates: Decodable {
      struct Rate: Decodable {
        let years: Int
        let percent: Double
      }
      let rates: [Rate]
    }
    let rates = try await APICaller().get("/v1/mortgage-rates").json(as: Rates.self).rates
    #expect(rates.first { $0.years == 30 }?.percent == 6.5)
  }

  @Test("The demo faults fail as documented")
  func faults() async throws {
    let caller = try APICaller()
    let broken = try await caller.get("/v1/demo/broken-json")
    #expect(broken.status == .ok)
    #expect(throws: DecodingError.self) { try broken.json(as: Houses.self) }
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
