import HTTPTypes
import Testing

@testable import WebPages

@Suite struct PageRangeTests {
  private static let tag = "\"abc\""

  private static func range(
    _ text: String?, size: Int = 1_000, method: HTTPRequest.Method = .get, condition: String? = nil
  ) -> PageRange {
    var fields: HTTPFields = [:]
    fields[.range] = text
    fields[.ifRange] = condition
    return PageRange(
      for: HTTPRequest(
        method: method, scheme: "https", authority: "a.example", path: "/", headerFields: fields),
      size: size, tag: tag)
  }

  @Test(
    "A range within the file is a part of it",
    arguments: [
      ("bytes=0-0", 0..<1), ("bytes=0-499", 0..<500), ("bytes=500-", 500..<1_000),
      ("bytes=999-", 999..<1_000),
      ("bytes=0-", 0..<1_000), ("bytes=-1", 999..<1_000), ("bytes=-1000", 0..<1_000),
      ("bytes=-5000", 0..<1_000),
      ("bytes=10-99999", 10..<1_000), ("BYTES=1-2", 1..<3), ("bytes= 1-2", 1..<3), ("bytes=1-2,", 1..<3),
      ("bytes=1-99999999999999999999999", 1..<1_000), ("bytes=-99999999999999999999999", 0..<1_000),
      ("bytes=007-008", 7..<9),
    ])
  func part(text: String, range: Range<Int>) { #expect(Self.range(text) == .part(range)) }

  @Test(
    "A range behind the end is unsatisfiable",
    arguments: [
      ("bytes=1000-", 1_000), ("bytes=1000-1001", 1_000), ("bytes=-0", 1_000), ("bytes=0-", 0),
      ("bytes=-5", 0), ("bytes=99999999999999999999-", 1_000),
    ])
  func unsatisfiable(text: String, size: Int) { #expect(Self.range(text, size: size) == .unsatisfiable) }

  @Test(
    "The whole file answers several ranges, other units and malformed ranges",
    arguments: [
      nil, "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-4", "bytes=1", "bytes=--1", "bytes=+1-2",
      "bytes=1-2-3", "bytes=0-1,5-6", "lines=0-1", "bytes 0-1", "bytes=0x1-2", "bytes=1 - 2", "bytes=٣-٤",
    ])
  func whole(text: String?) { #expect(Self.range(text) == .whole) }

  @Test("Only GET has ranges", arguments: [.head, .post, .put] as [HTTPRequest.Method])
  func methods(method: HTTPRequest.Method) { #expect(Self.range("bytes=0-1", method: method) == .whole) }

  @Test(
    "If-Range compares entity tags strongly, and dates never match",
    arguments: [
      ("\"abc\"", true), ("\"abd\"", false), ("W/\"abc\"", false), ("abc", false), ("", false),
      ("Sat, 01 Mar 2025 12:00:00 GMT", false), ("\"abc\", \"abd\"", false),
    ])
  func ifRange(condition: String, applies: Bool) {
    #expect(Self.range("bytes=0-1", condition: condition) == (applies ? .part(0..<2) : .whole))
  }

  @Test(
    "If-None-Match compares entity tags weakly",
    arguments: [
      ("\"abc\"", true), ("W/\"abc\"", true), ("\"x\", \"abc\"", true), ("*", true), ("\"abd\"", false),
      ("", false),
    ])
  func ifNoneMatch(text: String, isUnchanged: Bool) {
    #expect(PageRange.isUnchanged([.ifNoneMatch: text], tag: Self.tag) == isUnchanged)
  }
}
