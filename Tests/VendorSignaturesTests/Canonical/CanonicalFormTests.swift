import HTTPTypes
import Interception
import Testing

@testable import VendorSignatures

@Suite struct CanonicalFormTests {
  private func pairs(_ query: String, plusIsSpace: Bool = false) -> String {
    var pairs = CanonicalPairs()
    pairs.append(parsing: Array(query.utf8), plusIsSpace: plusIsSpace)
    pairs.sort()
    var text = CanonicalText(reserving: 0)
    pairs.write(to: &text)
    return text.string
  }

  @Test(
    "Pairs are decoded, encoded in one way, and sorted by name and value",
    arguments: [
      ("", ""), ("a", "a="), ("a=", "a="), ("=a", "=a"), ("&&a=1&", "a=1"), ("b=2&a=1", "a=1&b=2"),
      ("a=2&a=10&a=1", "a=1&a=10&a=2"), ("A=1&a=1", "A=1&a=1"),
      ("Param-3=3&Param=2&%E1%88%B4=1", "%E1%88%B4=1&Param=2&Param-3=3"),
      ("a=b=c", "a=b%3Dc"), ("a=%7e%41%2f", "a=~A%2F"), ("a=%zz%4", "a=%25zz%254"),
      ("ሴ=bar", "%E1%88%B4=bar"),
      ("a[10]=x&a[9]=y", "a%5B10%5D=x&a%5B9%5D=y"), ("a=1+2", "a=1%2B2"), ("a b=c d", "a%20b=c%20d"),
    ])
  func query(_ query: String, _ expected: String) {
    #expect(pairs(query) == expected)
  }

  @Test("In a form a plus sign stands for a space")
  func form() {
    #expect(pairs("a+b=1+2", plusIsSpace: true) == "a%20b=1%202")
  }

  @Test("Ten thousand pairs are sorted", .timeLimit(.minutes(5)))
  func manyPairs() {
    let query = (0..<10_000).map { "n\(99_999 - $0)=v" }.joined(separator: "&")
    let sorted = pairs(query).split(separator: "&")
    #expect(sorted.count == 10_000)
    #expect(sorted == sorted.sorted())
  }

  @Test("Values of fields are trimmed and joined, and names are sorted without duplicates")
  func fields() throws {
    var fields = CanonicalFields(reserving: 4)
    for (name, value) in [("Zeta", " z "), ("B", "  a   b\t c "), ("a", "2"), ("A", "1"), ("c", "")] {
      fields.insert(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
    }
    var lines = CanonicalText(reserving: 0)
    fields.writeLines(to: &lines)
    #expect(lines.string == "a:2,1\nb:a b c\nc:\nzeta:z\n")
    var names = CanonicalText(reserving: 0)
    fields.writeNames(to: &names)
    #expect(names.string == "a;b;c;zeta")
  }

  @Test(
    "Times are written in both formats of ISO 8601",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_440_938_160, "2015-08-30T12:36:00Z"),
      (951_782_400, "2000-02-29T00:00:00Z"),
      (-1, "1969-12-31T23:59:59Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    ] as [(Int64, String)])
  func dates(_ seconds: Int64, _ expected: String) {
    let date = SigningDate(WallTime(secondsSince1970: seconds))
    #expect(date.extended == expected)
    #expect(date.basic == expected.filter { !"-:".contains($0) })
    #expect(date.day == date.basic.prefix(8))
  }

  @Test("Query items are added to a path with and without a query")
  func target() {
    #expect(TargetParts.adding("x=1", to: "/a") == "/a?x=1")
    #expect(TargetParts.adding("x=1", to: "/a?") == "/a?x=1")
    #expect(TargetParts.adding("x=1", to: "/a?b=2") == "/a?b=2&x=1")
    #expect(TargetParts.adding("x=1", to: "/a?b=2&") == "/a?b=2&x=1")
  }
}
