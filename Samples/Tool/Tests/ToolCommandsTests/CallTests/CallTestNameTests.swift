import Testing
import ToolCommands

@Suite struct CallTestNameTests {
  private static func calls(_ urls: [String]) throws -> [RecordedCall] {
    let entries = urls.map {
      #"{"startedDateTime":"2026-11-06T08:49:01Z","request":{"method":"GET","url":"\#($0)"},"response":{"status":404}}"#
    }
    return try RecordedCalls(
      archive: Array(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#.utf8),
      hiding: HiddenValues()
    ).calls
  }

  @Test(
    "A test is named after the request and the outcome",
    arguments: [
      ("https://a.test/listings/house?city=GALT", "GetListingsHouse404"), ("https://a.test", "GetATest404"),
      ("https://a.test/a/b/c/d/e/f", "GetABCD404"), ("https://a.test/h%C3%A4user/1", "GetHUser1_404"),
    ])
  func names(url: String, name: String) throws {
    let call = try #require(try Self.calls([url]).first)
    #expect(CallTestName.name(of: call) == name)
    #expect(CallTestName.isValid(name))
  }

  @Test("Calls that would have one name have their number in it")
  func distinct() throws {
    let calls = try Self.calls(["https://a.test/x", "https://a.test/X", "https://b.test/x?page=2"])
    #expect(CallTestName.distinct(calls) == ["GetX404", "GetX404Call2", "GetX404Call3"])
  }

  @Test(
    "What can't name a type and its files is refused",
    arguments: ["", "1st", "../x", "a b", "ä", String(repeating: "x", count: 61)])
  func invalid(name: String) {
    #expect(!CallTestName.isValid(name))
  }
}
