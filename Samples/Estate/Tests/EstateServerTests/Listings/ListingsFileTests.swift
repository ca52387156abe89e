import Testing

@testable import EstateServer

@Suite struct ListingsFileTests {
  static let heading = "city,zip,beds,baths,sqft,type,price,latitude,longitude"
  static let row = "ELK_GROVE,z95758,3,2.5,1200,Condo,150000,38.4,-121.4"

  @Test("The built-in listings have 932 homes: 866 houses, 53 condos, 13 multi-family")
  func builtIn() throws {
    let homes = try Listings.sacramento().homes
    #expect(homes.map(\.id) == Array(1...932))
    #expect(homes.filter { $0.kind == .house }.count == 866)
    #expect(homes.filter { $0.kind == .condo }.count == 53)
    #expect(homes.filter { $0.kind == .multiFamily }.count == 13)
  }

  @Test("The postal code is read without its z, the city with spaces for underscores")
  func fields() throws {
    let homes = try ListingsFile.homes(in: Array("\(Self.heading)\r\n\(Self.row)\r\n".utf8))
    let expected = Home(
      id: 1, kind: .condo, city: "ELK GROVE", zip: "95758", beds: 3, baths: 2.5, squareFeet: 1200,
      price: 150_000, latitude: 38.4, longitude: -121.4)
    #expect(homes == [expected])
  }

  @Test(
    "A fault names its line and its column",
    arguments: [
      ("A,z95758,3,2,1200,Condo,150000,38.4", ListingsLineFault.fieldCount(8)),
      ("\"A\",z95758,3,2,1200,Condo,150000,38.4,-121", .quotation),
      ("A,z9575,3,2,1,Condo,1,3,-1", .field(column: "zip", text: "z9575", wanted: "")),
      ("A,z95758,x,2,1,Condo,1,3,-1", .field(column: "beds", text: "x", wanted: "")),
      ("A,z95758,3,nan,1,Condo,1,3,-1", .field(column: "baths", text: "nan", wanted: "")),
      ("A,z95758,3,2,0,Condo,1,3,-1", .field(column: "sqft", text: "0", wanted: "")),
      ("A,z95758,3,2,1,Castle,1,3,-1", .field(column: "type", text: "Castle", wanted: "")),
      ("A,z95758,3,2,1,Condo,-1,3,-1", .field(column: "price", text: "-1", wanted: "")),
      ("A,z95758,3,2,1,Condo,1,91,-1", .field(column: "latitude", text: "91", wanted: "")),
      (",z95758,3,2,1,Condo,1,1,-1", .field(column: "city", text: "", wanted: "")),
      ("", .fieldCount(1)),
    ])
  func fault(line: String, expected: ListingsLineFault) {
    let text = "\(Self.heading)\n\(Self.row)\n\(line)\n\(Self.row)\n"
    let error = #expect(throws: ListingsError.self) { try ListingsFile.homes(in: Array(text.utf8)) }
    guard case .line(3, let fault) = error else {
      Issue.record("no line 3 in \(String(describing: error))")
      return
    }
    switch (fault, expected) {
    case (.field(let column, let text, let wanted), .field(let expectedColumn, let expectedText, _)):
      #expect(column == expectedColumn)
      #expect(text == expectedText)
      #expect(!wanted.isEmpty)
    default:
      #expect(fault == expected)
    }
    #expect(error?.description.contains("Line 3") == true)
  }

  @Test("A file with other columns, without homes, or that is not text is refused")
  func wholeFile() {
    #expect(throws: ListingsError.columns(found: "a,b")) {
      try ListingsFile.homes(in: Array("a,b\n1,2".utf8))
    }
    #expect(throws: ListingsError.columns(found: "")) { try ListingsFile.homes(in: []) }
    #expect(throws: ListingsError.empty) { try ListingsFile.homes(in: Array(Self.heading.utf8)) }
    #expect(throws: ListingsError.notText) { try ListingsFile.homes(in: [0xFF, 0xFE]) }
  }
}
