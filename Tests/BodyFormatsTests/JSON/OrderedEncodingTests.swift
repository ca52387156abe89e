import BodyFormats
import Foundation
import Testing

/// Equal values have equal bytes, whatever the order of their hash values is.
@Suite struct OrderedEncodingTests {
  private enum Kind: String, Codable, CaseIterable { case house, condo, multi, flat, loft, barn, hut, tent }

  private struct Point: Codable, Hashable {
    var x: Int
    var y: Double?
  }

  private struct Everything: Codable, Equatable {
    var texts: Set<String>
    var kinds: Set<Kind>
    var points: Set<Point>
    var sets: Set<Set<Int>>
    var optional: Set<Int>?
    var list: [Set<String>]
    var byName: [String: Set<Int>]
    var byKind: [Kind: Set<Int>]
    var byPoint: [Point: [String: Int]]
    var dates: Set<Date>
    var links: Set<URL>
    var bytes: Set<Data>
    var prices: Set<Decimal>

    /// Creates a value whose collections have room for more, which changes their order.
    init(_ elements: [Int], room: Int) {
      func make<Element: Hashable>(_ element: (Int) -> Element) -> Set<Element> {
        var made: Set<Element> = []
        made.reserveCapacity(room)
        for number in elements { made.insert(element(number)) }
        return made
      }
      func makeDictionary<Key: Hashable, Value>(_ key: (Int) -> Key, _ value: (Int) -> Value) -> [Key: Value]
      {
        var made: [Key: Value] = [:]
        made.reserveCapacity(room)
        for number in elements { made[key(number)] = value(number % 8) }
        return made
      }
      let kinds = Kind.allCases
      texts = make { "t\($0)" }
      self.kinds = make { kinds[$0 % 8] }
      points = make { Point(x: $0, y: $0 % 2 == 0 ? nil : 0.5) }
      sets = [make { $0 }, make { $0 % 5 }, make { $0 + 1000 }]
      optional = make { $0 }
      list = [make { "a\($0)" }, make { "b\($0 % 9)" }]
      byName = makeDictionary({ "name_of\($0)Thing" }, { [$0, $0 + 1, $0 + 2] })
      byKind = makeDictionary({ kinds[$0 % 8] }, { _ in make { $0 } })
      byPoint = makeDictionary({ Point(x: $0 % 8) }, { ["b": $0, "a": $0] })
      dates = make { Date(timeIntervalSince1970: Double($0 * 86_400)) }
      links = make { URL(filePath: "/\($0)") }
      bytes = make { Data([UInt8($0 % 256), 1]) }
      prices = make { Decimal($0) / 4 }
    }
  }

  @Test(
    "Equal values with sets and dictionaries have equal bytes in every format",
    arguments: [
      JSONCoding(), JSONCoding(usesSnakeCase: true), JSONCoding(dates: .secondsSince1970),
      JSONCoding(dates: .millisecondsSince1970),
    ])
  func equal(_ coding: JSONCoding) throws {
    let elements = Array(0..<60)
    let value = Everything(elements, room: 0)
    let bytes = try coding.encode(value)
    for room in [100, 500, 1000, 5000] {
      #expect(try coding.encode(Everything(elements.reversed(), room: room)) == bytes)
    }
    if !coding.usesSnakeCase { #expect(try coding.decode(Everything.self, from: bytes) == value) }
  }

  private struct Small: Encodable {
    var tags: Set<String> = ["b", "a", "c"]
    var numbers: Set<Int> = [2, 10, 1]
    var byName: [String: Set<Bool>] = ["theName": [true, false]]
    var byNumber: [Int: Date] = [2: Date(timeIntervalSince1970: 0)]
    var pairs: [Bool: Int] = [true: 1, false: 0]
    var wide: [UInt128] = [.max]
    var none: Set<Int>?
  }

  @Test("Sets are in the order of the text of their elements, and all else is as without them")
  func text() throws {
    let text = String(decoding: try JSONCoding(usesSnakeCase: true).encode(Small()), as: UTF8.self)
    #expect(
      text == """
        {"by_name":{"theName":[false,true]},"by_number":{"2":"1970-01-01T00:00:00Z"},"numbers":[1,10,2],\
        "pairs":[false,0,true,1],"tags":["a","b","c"],"wide":[340282366920938463463374607431768211455]}
        """)
  }

  @Test("A value at the top is encoded like one within another")
  func top() throws {
    #expect(String(decoding: try JSONCoding().encode(Set(["b", "a"])), as: UTF8.self) == #"["a","b"]"#)
    #expect(
      String(decoding: try JSONCoding().encode(Date(timeIntervalSince1970: 0)), as: UTF8.self)
        == #""1970-01-01T00:00:00Z""#)
    #expect(String(decoding: try JSONCoding().encode("a"), as: UTF8.self) == #""a""#)
    #expect(
      String(decoding: try JSONCoding().encode(["b": [Set([2, 1])]]), as: UTF8.self) == #"{"b":[[1,2]]}"#)
  }

  @Test("A number that JSON cannot represent is refused with its place, in a set too")
  func refused() throws {
    struct Sizes: Encodable { var sizes: [String: Set<Double>] = ["a": [.infinity]] }
    let error = #expect(throws: (any Error).self) { try JSONCoding().encode(Sizes()) }
    #expect("\(try #require(error))".contains("`sizes.a"), "\(String(describing: error))")
  }
}
