import Foundation
import ListingsRoutes
import Testing

@testable import Listings

@Suite("The places of all homes")
struct HomePlacesTests {
  private func decoded(
    cities: String = #"["GALT","ELK GROVE"]"#, kinds: String = #"["house","multi_family","boat"]"#,
    city: String = "[0,1,1]", kind: String = "[0,1,2]", beds: String = "[3,2,0]"
  ) throws -> [HomePlace] {
    let json = """
      {"cities":\(cities),"kinds":\(kinds),"id":[1,2,3],"city":\(city),"kind":\(kind),"beds":\(beds),
      "price":[150000,200000,1],"lat":[38.5,38.6,38.7],"lon":[-121.5,-121.4,-121.3]}
      """
    return try JSONDecoder().decode(HomePlaces.self, from: Data(json.utf8)).places
  }

  @Test("The lists of properties become homes, also of a kind that this app does not know")
  func columns() throws {
    #expect(
      try decoded() == [
        HomePlace(
          id: 1, city: "GALT", kind: .house, beds: 3, price: 150_000, place: Coordinates(38.5, -121.5)),
        HomePlace(
          id: 2, city: "ELK GROVE", kind: .multi, beds: 2, price: 200_000, place: Coordinates(38.6, -121.4)),
        HomePlace(id: 3, city: "ELK GROVE", kind: nil, beds: 0, price: 1, place: Coordinates(38.7, -121.3)),
      ])
  }

  @Test("Lists that differ in length, and numbers beyond their list, are refused")
  func mismatches() {
    #expect(throws: DecodingError.self) { try decoded(beds: "[3,2]") }
    #expect(throws: DecodingError.self) { try decoded(city: "[0,1,2]") }
    #expect(throws: DecodingError.self) { try decoded(kind: "[0,1,-1]") }
    #expect(throws: DecodingError.self) { try decoded(cities: "[]") }
  }

  @Test(
    "A search finds the homes that the server finds for it",
    arguments: [
      (HomeSearch(), HomeKind.house, [1]), (HomeSearch(), .multi, [2]), (HomeSearch(), .condo, []),
      (HomeSearch(city: "elk_grove"), .multi, [2]), (HomeSearch(city: " ELK  GROVE "), .multi, [2]),
      (HomeSearch(city: "ELK"), .multi, []), (HomeSearch(city: ""), .house, [1]),
      (HomeSearch(maximumPrice: 150_000), .house, [1]), (HomeSearch(maximumPrice: 149_999), .house, []),
      (HomeSearch(beds: 3), .house, [1]), (HomeSearch(beds: 4), .house, []),
    ] as [(HomeSearch, HomeKind, [Int])])
  func search(search: HomeSearch, kind: HomeKind, ids: [Int]) throws {
    #expect(try decoded().filter { search.finds($0, kind) }.map(\.id) == ids)
  }
}
