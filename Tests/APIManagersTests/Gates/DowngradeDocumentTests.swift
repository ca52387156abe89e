import Interception
import Testing

@testable import APIManagers

@Suite struct DowngradeDocumentTests {
  func document(_ text: String) throws(DowngradeDocumentError) -> DowngradeDocument {
    try DowngradeDocument(Array(text.utf8), knownAPIs: [HouseList.identity, CondoList.identity])
  }

  @Test("A document switches APIs off with their reasons, and reports those that the app doesn't have")
  func entries() throws {
    let document = try document(
      """
      {"version": 3, "switchedOff": [
        {"service": "estate", "api": "houses.list", "reason": "Until 8."},
        {"service": "estate", "api": "houses.list", "reason": "Until 9.", "since": 12},
        {"service": "estate", "api": "gone", "reason": ""}
      ]}
      """)
    #expect(document.reasons == [HouseList.identity: "Until 9."])
    #expect(document.unknownAPIs == [APIIdentity(service: "estate", name: "gone")])
  }

  @Test("An applied document replaces the one before, and leaves alone what the app has switched off")
  func apply() throws {
    let list = DowngradeList()
    list.switchOff(CondoList.identity, because: "The app's reason.")
    func entry(_ api: String) -> String {
      "{\"service\": \"estate\", \"api\": \"\(api)\", \"reason\": \"Busy.\"}"
    }
    list.apply(try document("{\"switchedOff\": [\(entry("houses.list")), \(entry("condos.list"))]}"))
    #expect(list.downgrade(of: HouseList.identity) == "Busy.")
    #expect(list.downgrade(of: CondoList.identity) == "The app's reason.")
    list.switchOn(CondoList.identity)
    #expect(list.downgrade(of: CondoList.identity) == "Busy.")
    list.apply(try document("{\"switchedOff\": []}"))
    #expect(list.downgrade(of: HouseList.identity) == nil)
    #expect(list.downgrade(of: CondoList.identity) == nil)
  }

  /// A document that is refused, and the error.
  struct Fault: Sendable, CustomTestStringConvertible {
    let text: String
    let error: DowngradeDocumentError

    var testDescription: String { "\(text.prefix(60)), \(text.utf8.count) bytes" }

    init(_ text: String, _ error: DowngradeDocumentError) { (self.text, self.error) = (text, error) }
  }

  static func text(_ count: Int, reason: String = "x", api: String = "houses.list") -> String {
    let entry = "{\"service\":\"estate\",\"api\":\"\(api)\",\"reason\":\"\(reason)\"}"
    return "{\"switchedOff\":[" + Array(repeating: entry, count: count).joined(separator: ",") + "]}"
  }

  static let faults = [
    Fault("", .malformed(field: nil)), Fault("[]", .malformed(field: nil)),
    Fault("{\"switchedOff\": [", .malformed(field: nil)), Fault("{}", .malformed(field: "switchedOff")),
    Fault("{\"switchedOff\": 7}", .malformed(field: "switchedOff")),
    Fault("{\"switchedOff\": [7]}", .malformed(field: "switchedOff[0]")),
    Fault(
      "{\"switchedOff\": [{\"service\": \"estate\", \"api\": \"houses.list\"}]}",
      .malformed(field: "switchedOff[0].reason")),
    Fault(
      "{\"switchedOff\": [{\"service\": null, \"api\": \"a\", \"reason\": \"b\"}]}",
      .malformed(field: "switchedOff[0].service")),
    Fault("{\"switchedOff\": [], \"switchedOff\": []}", .malformed(field: nil)),
    Fault(String(repeating: "[", count: 60_000), .malformed(field: nil)),
    Fault(
      "{\"switchedOff\":" + String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
        + "}",
      .malformed(field: nil)),
    Fault(text(1, reason: ""), .invalidReason(index: 0)),
    Fault(text(1, reason: "a\\u0000b"), .invalidReason(index: 0)),
    Fault(text(1, reason: String(repeating: "x", count: 501)), .invalidReason(index: 0)),
    Fault(text(1_001, api: "a"), .tooManyEntries(limit: 1_000)),
    Fault(String(repeating: " ", count: 65_537), .tooLong(limit: 65_536)),
  ]

  @Test("A malformed document is refused as a whole, with the path to the field", arguments: faults)
  func malformed(fault: Fault) {
    #expect(throws: fault.error) { try document(fault.text) }
    #expect(!"\(fault.error)".isEmpty)
  }

  @Test("The limits themselves are allowed")
  func limits() throws {
    #expect(try document(Self.text(1_000, api: "a")).unknownAPIs.count == 1)
    #expect(try document(Self.text(1, reason: String(repeating: "x", count: 500))).reasons.count == 1)
  }
}
