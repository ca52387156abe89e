import HTTPTypes
import Interception
import Testing

@testable import ResponseCaching

@Suite struct ValidatorsTests {
  private static let day = "Sat, 05 Nov 1994 00:00:00 GMT"
  private static let otherDay = "Fri, 04 Nov 1994 00:00:00 GMT"

  @Test(
    "Only one entity tag is a validator, never a list or an asterisk",
    arguments: [
      ("\"a\"", true), ("W/\"a\"", true), ("\"\"", true), ("\"a, *\"", true), ("a", true), ("W/a", true),
      ("*", false), ("W/*", false), ("", false), ("a, b", false), ("\"a\", \"b\"", false), ("\"a", false),
      ("a b", false), ("W/", false),
    ])
  func entityTags(_ tag: String, isValidator: Bool) {
    let validators = Validators([.eTag: tag])
    #expect(validators?.entityTag?.description == (isValidator ? tag : nil))
    #expect((validators != nil) == isValidator)
    let dated = Validators([.eTag: tag, .lastModified: Self.day])
    #expect(dated?.lastModified == Self.day)
    #expect(dated?.entityTag?.description == (isValidator ? tag : nil))
  }

  @Test(
    "RFC 9111, section 4.3.4: a 304 confirms a response if a strong validator is the same, or none differs",
    arguments: [
      // The fields of the 304, those of the stored response, and whether it confirms.
      ([.eTag: "\"a\""], [.eTag: "\"a\""], true),
      ([.eTag: "\"a\""], [.eTag: "\"b\""], false),
      ([.eTag: "W/\"a\""], [.eTag: "\"a\""], true),
      ([.eTag: "W/\"a\""], [.eTag: "W/\"b\""], false),
      ([.eTag: "\"a\"", .lastModified: day], [.eTag: "\"a\"", .lastModified: otherDay], true),
      ([.eTag: "W/\"a\"", .lastModified: day], [.eTag: "W/\"a\"", .lastModified: otherDay], false),
      ([.eTag: "W/\"a\"", .lastModified: day], [.eTag: "W/\"a\""], true),
      ([.eTag: "\"a\"", .lastModified: day], [.eTag: "\"b\"", .lastModified: day], false),
      ([.lastModified: day], [.lastModified: day], true),
      ([.lastModified: day], [.lastModified: otherDay], false),
      ([.lastModified: "Sat Nov  5 00:00:00 1994"], [.lastModified: day], true),
      ([.lastModified: "never"], [.lastModified: day], false),
      ([.lastModified: "never"], [.lastModified: "never"], true),
      ([.lastModified: day], [.eTag: "\"a\""], false),
      ([.eTag: "\"a\""], [.lastModified: day], false),
      ([.eTag: "W/\"a\""], [.lastModified: day], false),
      ([.eTag: "W/\"a\"", .lastModified: day], [.lastModified: day], true),
      ([.eTag: "\"a\"", .lastModified: day], [.lastModified: day], false),
    ] as [(HTTPFields, HTTPFields, Bool)])
  func confirming(_ confirmation: HTTPFields, _ stored: HTTPFields, isConfirmed: Bool) throws {
    let (confirmation, stored) = (try #require(Validators(confirmation)), try #require(Validators(stored)))
    #expect(confirmation.confirm(stored) == isConfirmed)
  }
}
