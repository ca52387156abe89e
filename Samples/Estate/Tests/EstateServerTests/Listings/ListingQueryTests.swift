import HTTPTypes
import Testing

@testable import EstateServer

@Suite struct ListingQueryTests {
  @Test("A query without parameters is for the first twenty homes")
  func standard() throws {
    let query = try ListingQuery(parameters: QueryParameters(rawQuery: nil))
    #expect(query == ListingQuery())
    #expect(query.page == 1 && query.size == 20)
  }

  @Test("All parameters are read in the encoding of forms")
  func all() throws {
    let raw = "page=2&size=100&min_price=1&max_price=%32&city=elk+grove&beds=3&app_version=9&empty="
    let query = try ListingQuery(parameters: QueryParameters(rawQuery: raw))
    var expected = ListingQuery()
    expected.page = 2
    expected.size = 100
    expected.minimumPrice = 1
    expected.maximumPrice = 2
    expected.city = "ELK GROVE"
    expected.beds = 3
    #expect(query == expected)
  }

  @Test(
    "A parameter out of range, repeated or badly encoded is 400 with its name",
    arguments: [
      ("page=0", "page"), ("page=-1", "page"), ("page=x", "page"), ("page=100001", "page"),
      ("page=99999999999999999999", "page"), ("size=0", "size"), ("size=101", "size"), ("size=1.5", "size"),
      ("min_price=-1", "min_price"), ("max_price=a", "max_price"), ("min_price=2&max_price=1", "min_price"),
      ("beds=many", "beds"), ("page=1&page=2", "page"), ("city=%zz", "%zz"), ("city=%ff", "%ff"),
    ])
  func refused(raw: String, culprit: String) {
    let error = #expect(throws: APIError.self) {
      try ListingQuery(parameters: QueryParameters(rawQuery: raw))
    }
    #expect(error?.status == .badRequest)
    #expect(error?.code == "bad_parameter")
    #expect(error?.message.contains(culprit) == true)
  }

  @Test("More than 64 parameters are refused")
  func many() {
    let raw = (0...64).map { "p\($0)=1" }.joined(separator: "&")
    #expect(throws: APIError.self) { try QueryParameters(rawQuery: raw) }
  }
}
