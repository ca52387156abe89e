import ListingsRoutes
import Switchyard
import Testing

@testable import Listings

@Suite("The reformer of the lists")
struct HomeListReformerTests {
  private func expected(_ kind: HomeKind) -> HomeItem {
    HomeItem(
      id: 7, city: "LODI", zip: "95240", beds: 3, baths: 1.5, squareFeet: 900, price: 150_000, kind: kind,
      place: Coordinates(1, 2))
  }

  private func list<A: API>(_ api: A.Type, _ json: String) throws -> HomeList {
    let answer = APIResponse(api: A.identity, bytes: Array(json.utf8))
    return try answer.reformed(by: HomeListReformer(), from: ManagerIdentity(api: A.identity))
  }

  @Test("A9: Three APIs whose fields have different names yield the same items, with their kinds and places")
  func threeAPIs() throws {
    let houses = try list(
      HouseListAPI.self,
      """
      {"total":11,"page":1,"houses":[{"id":7,"city":"LODI","zip":"95240","bed_count":3,"bath_count":1.5,
      "square_feet":900,"price_usd":150000,"lat":1,"lon":2}]}
      """)
    let condos = try list(
      CondoListAPI.self,
      """
      {"count":11,"page":1,"items":[{"condo_id":7,"town":"LODI","postcode":"95240","bedrooms":3,
      "bathrooms":1.5,"area_sqft":900,"asking_price":150000,"location":{"lat":1,"lng":2}}]}
      """)
    let multi = try list(
      MultiFamilyListAPI.self,
      """
      {"result":{"rows":[{"ref":7,"place":"LODI","zipcode":"95240","br":3,"ba":1.5,"size":900,"cost":150000,
      "coordinates":[1,2]}],"page":1,"pages":2,"records":11}}
      """)
    for (list, kind) in [(houses, HomeKind.house), (condos, .condo), (multi, .multi)] {
      #expect(list == HomeList(total: 11, items: [expected(kind)]))
      #expect(list.pages == 2)
    }
  }

  @Test("A field of another type is reported by name")
  func misfit() {
    let failure = #expect(throws: APIError.self) {
      try list(HouseListAPI.self, #"{"total":1,"houses":[{"id":"seven"}]}"#)
    }
    #expect(failure?.description.contains("houses[0]") == true)
  }
}
