import Testing

@testable import RequestFiles

@Suite struct JSONPathTests {
  private static let document = """
    {"shop": {"lamps": [
      {"id": 1, "name": "Desk", "price": 8.5, "tags": ["old"]},
      {"id": 2, "name": "Floor", "price": 20, "sold": true},
      {"id": 3, "name": "Fleet", "price": 99, "a b": null}], "open": false}, "é": [[1, 2], [3]]}
    """

  @Test(
    "An expression finds nothing, one value, or a list of several",
    arguments: [
      ("$.shop.open", "false"), ("$.shop.closed", nil), ("$['shop']['open']", "false"),
      ("$.shop.lamps[0].id", "1"),
      ("$.shop.lamps[-1].id", "3"), ("$.shop.lamps[3]", nil), ("$.shop.lamps[*].id", "[1,2,3]"),
      ("$.shop.lamps[0,2].id", "[1,3]"), ("$.shop.lamps[1:].id", "[2,3]"), ("$.shop.lamps[:1].id", "1"),
      ("$.shop.lamps[::2].id", "[1,3]"), ("$.shop.lamps[::-1].id", "[3,2,1]"), ("$..id", "[1,2,3]"),
      ("$..tags[0]", #""old""#), ("$.shop.lamps[?(@.price < 30)].id", "[1,2]"),
      ("$.shop.lamps[?@.price >= 20 && @.id != 3].name", #""Floor""#), ("$.shop.lamps[?(@.sold)].id", "2"),
      ("$.shop.lamps[?(!@.sold)].id", "[1,3]"),
      ("$.shop.lamps[?(@.name == 'Desk' || @.id == 3)].id", "[1,3]"),
      ("$.shop.lamps[?(@['a b'] == null)].id", "3"), ("$.shop.lamps[?length(@.name) == 5].id", "[2,3]"),
      ("$.shop.lamps[?match(@.name, 'F.*')].id", "[2,3]"), ("$.shop.lamps[?search(@.name, 'es')].id", "1"),
      ("$.shop.lamps[?count(@.*) > 3].id", "[1,2,3]"), ("$.shop.lamps[?value(@.sold) == true].id", "2"),
      ("$.shop.lamps[?(@.price == $.shop.lamps[1].price)].id", "2"), ("$.é[*][0]", "[1,3]"),
      ("$.é[1]", "[3]"),
      ("$.shop.lamps[5:]", nil), ("$.shop[0]", nil), ("$.shop.*", nil), ("$", nil),
    ] as [(String, String?)])
  func values(path: String, expected: String?) throws {
    let root = try JSONText.value(Array(Self.document.utf8))
    let value = try JSONPath(path).value(in: root)
    if path == "$" {
      #expect(value == root)
    } else if path == "$.shop.*" {
      #expect(value.flatMap(ValueFilters.count) == 2)
    } else {
      #expect(value.map(JSONText.text(of:)) == expected)
    }
  }

  @Test(
    "A malformed expression has a fault with its place",
    arguments: [
      ("shop", 0), ("$.", 2), ("$[", 2), ("$[1", 3), ("$['a", 4), ("$.a b", 4), ("$[?(@.a == )]", 11),
      ("$[?foo(@)]", 3),
      ("$[?(1)]", 5), ("$.1", 2),
    ])
  func faults(path: String, offset: Int) {
    #expect {
      _ = try JSONPath(path)
    } throws: {
      ($0 as? JSONPath.Fault)?.offset == offset
    }
  }

  @Test("Deep expressions and expensive ones have a fault")
  func limits() throws {
    let deep = "$" + String(repeating: "[?(@", count: 100)
    #expect(throws: JSONPath.Fault.self) { try JSONPath(deep) }
    let row = "[" + String(repeating: "0,", count: 200) + "0]"
    let table = "[" + String(repeating: row + ",", count: 200) + row + "]"
    let path = try JSONPath("$[*][?(count($[*][*]) > 0)]")
    let root = try JSONText.value(Array(table.utf8))
    #expect(throws: JSONPath.Fault.self) { try path.value(in: root) }
  }
}
