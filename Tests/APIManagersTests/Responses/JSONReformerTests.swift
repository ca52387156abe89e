import APIManagers
import BodyFormats
import HTTPTypes
import Interception
import Testing

@Suite struct JSONReformerTests {
  struct Catalogue: Decodable, Equatable {
    struct Item: Decodable, Equatable {
      enum Kind: String, Decodable { case house, condo }
      let price: Int
      let kind: Kind
    }
    let items: [Item]
  }

  static let manager = ManagerIdentity(api: APIIdentity(service: "estate", name: "houses.list"))

  static func response(_ text: String) -> APIResponse {
    APIResponse(api: manager.api, headerFields: [.contentType: "text/html"], bytes: Array(text.utf8))
  }

  @Test("A valid response is decoded as the type")
  func decoding() throws {
    let response = Self.response(#"{"items": [{"price": 3, "kind": "condo"}]}"#)
    let value = try JSONReformer(Catalogue.self).reform(response, from: Self.manager)
    #expect(value == Catalogue(items: [Catalogue.Item(price: 3, kind: .condo)]))
  }

  @Test(
    "A mismatch is reported with the API, the field and what was expected",
    arguments: [
      (
        #"{"items": [{"price": 3, "kind": "house"}, {"price": "3", "kind": "house"}]}"#, "items[1].price",
        "estate/houses.list: `items[1].price` should be Int, but is a string."
      ),
      (
        #"{"items": [{"kind": "house"}]}"#, "items[0].price",
        "estate/houses.list: `items[0].price` is required, but is missing."
      ),
      (#"{"items": null}"#, "items", "estate/houses.list: `items` should be an array, but is null."),
      (
        #"{"items": {}}"#, "items",
        "estate/houses.list: `items` should be an array, but is an object."
      ),
      (
        #"{"items": [{"price": 3, "kind": "s3cret"}]}"#, "items[0].kind",
        "estate/houses.list: `items[0].kind` has a value that its type does not allow."
      ),
      (
        "[]", nil,
        "estate/houses.list: The content should be an object, but is an array."
      ),
      (
        "<html>", nil,
        "estate/houses.list: The content should be JSON, but its 6 bytes cannot be parsed; "
          + "its Content-Type is text/html."
      ),
      ("", nil, "estate/houses.list: The response should be JSON, but it has no content (status 200)."),
    ] as [(String, String?, String)])
  func fault(text: String, field: String?, sentence: String) throws {
    let failure = try #require(throws: APIError.self) {
      try Self.response(text).reformed(by: JSONReformer(Catalogue.self), from: Self.manager)
    }
    #expect(failure.kind == .malformed(field: field))
    #expect(failure.description == sentence)
    #expect(failure.response?.text == text)
    #expect((failure.underlying as? BodyDecodingError)?.field == field)
  }

  @Test("Content that is still in a coding is refused with the product to add, not as malformed JSON")
  func codedContent() throws {
    let response = APIResponse(
      api: Self.manager.api, headerFields: [.contentEncoding: "br"], bytes: Array("{}".utf8))
    let error = try #require(throws: BodyDecodingError.self) { try response.json(as: [Int].self) }
    #expect(error.kind == .contentCoding && error.reason.contains("product BodyCompression"))
  }

  @Test("A9: The error of a reformer that reads the raw document has the path")
  func rawDocument() throws {
    let price = JSONField<Int>("price")
    let response = Self.response(#"{"items": [{"price": 3}, {"price": "4"}]}"#)
    #expect(try JSONDocument(response.bytes)["items"][0][price] == 3)
    let failure = try #require(throws: APIError.self) {
      try response.reformed(by: LastPrice(price: price), from: Self.manager)
    }
    #expect(failure.kind == .malformed(field: "items[1].price"))
    #expect(failure.description == "estate/houses.list: `items[1].price` should be Int, but is a string.")
    let page = try #require(throws: BodyDecodingError.self) {
      try Self.response("<html>").json(as: [Int].self)
    }
    #expect(page.reason.hasSuffix("its Content-Type is text/html."))
    #expect(throws: BodyDecodingError.self) { try Self.response("").json(as: [Int].self) }
  }

  struct LastPrice: Reformer {
    let price: JSONField<Int>

    func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> Int? {
      try [JSONDocument](json: JSONDocument(response.bytes)["items"]).last?[price]
    }
  }

  @Test("Keys in snake case are decoded if the format says so")
  func format() throws {
    struct Visit: Decodable { let openHouses: Int }
    let response = Self.response(#"{"open_houses": 2}"#)
    let format = JSONCoding(usesSnakeCase: true, dates: .secondsSince1970)
    #expect(try response.json(as: Visit.self, format: format).openHouses == 2)
    #expect(throws: BodyDecodingError.self) { try response.json(as: Visit.self) }
  }
}
