import Testing

@testable import RequestFiles

@Suite struct ValueTests {
  @Test(
    "Numbers are compared by value, also where a conversion would round",
    arguments: [
      ("5", "5.0", true), ("9007199254740993", "9007199254740992.0", false), ("1e3", "1000", true),
      ("-0.0", "0", true),
      ("18446744073709551615", "18446744073709551614", false),
      ("18446744073709551615", "18446744073709551615", true),
      ("1", "true", false), (#""a""#, #""a""#, true), (#"{"a":1,"b":[2]}"#, #"{"b":[2.0],"a":1}"#, true),
      (#"{"a":1}"#, #"{"a":1,"b":2}"#, false), ("null", "false", false), (#""é""#, #""e\u0301""#, false),
    ])
  func equality(left: String, right: String, areEqual: Bool) throws {
    let (first, second) = (try JSONText.value(Array(left.utf8)), try JSONText.value(Array(right.utf8)))
    #expect(first.equals(second) == areEqual)
    #expect(second.equals(first) == areEqual)
  }

  @Test(
    "Values are ordered within their kind",
    arguments: [
      ("1", "2", Value.Order.ascending), ("2.5", "2", .descending), ("2", "2.5", .ascending),
      ("-18446744073709551615", "-9", .ascending),
      ("18446744073709551615", "18446744073709551616", .ascending),
      (#""b""#, #""abc""#, .descending), ("1", #""1""#, nil), ("true", "false", nil),
      ("1e300", "5", .descending),
      ("18446744073709551615", "1e30", .ascending),
    ] as [(String, String, Value.Order?)])
  func order(left: String, right: String, order: Value.Order?) throws {
    let (first, second) = (try JSONText.value(Array(left.utf8)), try JSONText.value(Array(right.utf8)))
    #expect(first.order(to: second) == order)
  }

  @Test(
    "Text that is no JSON has a fault with its place",
    arguments: [
      ("", 0), ("{", 1), ("[1,]", 3), (#"{"a" 1}"#, 5), ("nul", 0), ("01", 0), ("1 2", 2), (#""\x""#, 3),
      (#""\ud800""#, 7),
      ("\"a\nb\"", 3), ("[1 2]", 3), ("{'a':1}", 1),
    ])
  func faults(text: String, offset: Int) {
    #expect {
      _ = try JSONText.value(Array(text.utf8))
    } throws: {
      ($0 as? JSONText.Fault)?.offset == offset
    }
  }

  @Test("Nesting has a limit, and what is below it is read and written as it was")
  func depth() throws {
    let text = String(repeating: "[", count: 256) + String(repeating: "]", count: 256)
    #expect(JSONText.text(of: try JSONText.value(Array(text.utf8))) == text)
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONText.Fault.self) { try JSONText.value(Array(deep.utf8)) }
    let sample = #"{"a":[1,2.5,null,true,"\"\\\n😀"],"b":{}}"#
    #expect(JSONText.text(of: try JSONText.value(Array(sample.utf8))) == sample)
    #expect(try JSONText.value(Array(#""\ud83d\ude00""#.utf8)) == .text("😀"))
    #expect(
      try JSONText.value(Array(#"{"a":1,"a":2}"#.utf8)) == .object([.init(name: "a", value: .integer(2))]))
  }

  @Test(
    "A variable of the command line is a number, a Boolean, null or a text",
    arguments: [
      ("5", .integer(5)), ("-2.5", .float(-2.5)), ("true", .bool(true)), ("null", .null),
      ("\"5\"", .text("5")),
      ("05", .text("05")), ("a b", .text("a b")), ("", .text("")),
    ] as [(String, Value)])
  func variables(text: String, value: Value) {
    #expect(Value(variable: text) == value)
  }

  @Test(
    "A date is read and written in formats of strftime",
    arguments: [
      ("Wed, 13 Jan 2021 22:23:01 GMT", "%a, %d %b %Y %H:%M:%S GMT", "2021-01-13T22:23:01Z"),
      ("2024-02-29T01:02:03.5+02:00", "%+", "2024-02-28T23:02:03.500000Z"),
      ("1969-12-31", "%F", "1969-12-31T00:00:00Z"),
      ("1767225600", "%s", "2026-01-01T00:00:00Z"),
      ("12:05 AM 3/4/25", "%I:%M %p %m/%d/%y", "2025-03-04T00:05:00Z"),
      ("2023-02-29", "%F", nil), ("2023-01-01x", "%F", nil), ("x", "%Q", nil), ("2023", "%Y%m", nil),
    ] as [(String, String, String?)])
  func dates(text: String, format: String, iso: String?) {
    let moment = try? CalendarFields.moment(text, format: format)
    #expect(moment?.isoText == iso)
  }

  @Test("A date has its weekday, its day of the year and its offset")
  func dateFields() throws {
    let moment = try CalendarFields.moment("2024-12-31T23:00:00+01:00", format: "%+")
    #expect(
      CalendarFields(moment).text(format: "%A %j %e %I%p %z %:z %y %B %s %%")
        == "Tuesday 366 31 11PM +0100 +01:00 24 December 1735682400 %")
    #expect(CalendarFields(moment).text(format: "%Q") == nil)
  }
}
