import HTTPTypes
import Interception
import Testing

@testable import Downloads

@Suite("A download's validator")
struct DownloadValidatorTests {
  static let early = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let later = "Sun, 06 Nov 1994 08:49:38 GMT"

  @Test("A validator is a strong entity tag, or a date earlier than that of the response")
  func strong() {
    #expect(DownloadValidator([.eTag: "\"a\"", .lastModified: Self.early]) == .entityTag("\"a\""))
    #expect(DownloadValidator([.lastModified: Self.early, .date: Self.later]) == .lastModified(Self.early))
  }

  @Test(
    "An entity tag with bytes above 127 is a validator, and its bytes are compared",
    arguments: [
      ([0xE9], [0xE8]), (Array("\u{E9}".utf8), [0xE9]), ([0xC3], [0xEF, 0xBF, 0xBD]),
      (Array("\u{E9}".utf8), Array("e\u{301}".utf8)),
    ] as [([UInt8], [UInt8])])
  func opaque(tag: [UInt8], other: [UInt8]) throws {
    func fields(_ opaque: [UInt8]) -> HTTPFields {
      HTTPFields([HTTPField(name: .eTag, value: [0x22] + opaque + [0x22])])
    }
    let validator = try #require(DownloadValidator(fields(tag)))
    #expect(validator.fieldValue.bytes == [0x22] + tag + [0x22])
    #expect(validator.isConfirmed(by: fields(tag)) && !validator.isContradicted(by: fields(tag)))
    #expect(!validator.isConfirmed(by: fields(other)) && validator.isContradicted(by: fields(other)))
    let record = DownloadRecord(identity: 1, validator: validator, total: 5)
    #expect(DownloadRecord(record.bytes) == record)
  }

  @Test("The same validator twice is one, and different ones are none")
  func repeated() {
    func fields(_ name: HTTPField.Name, _ values: String...) -> HTTPFields {
      var fields = HTTPFields(values.map { HTTPField(name: name, value: $0) })
      fields.append(HTTPField(name: .date, value: Self.later))
      fields.append(HTTPField(name: .date, value: Self.later))
      return fields
    }
    #expect(DownloadValidator(fields(.eTag, "\"a\"", "\"a\"")) == .entityTag("\"a\""))
    #expect(DownloadValidator(fields(.eTag, "\"a\"", "\"b\"")) == nil)
    #expect(DownloadValidator(fields(.lastModified, Self.early, Self.early)) == .lastModified(Self.early))
    #expect(DownloadValidator(fields(.lastModified, Self.early, Self.later)) == nil)
    #expect(DownloadValidator.entityTag("\"a\"").isContradicted(by: fields(.eTag, "\"a\"", "\"b\"")))
  }

  @Test("A field that may be the same for two versions is not a validator")
  func weak() {
    #expect(DownloadValidator([:]) == nil)
    #expect(DownloadValidator([.lastModified: Self.early]) == nil)
    #expect(DownloadValidator([.lastModified: Self.early, .date: Self.early]) == nil)
    #expect(DownloadValidator([.lastModified: "yesterday", .date: Self.later]) == nil)
    for tag in ["W/\"a\"", "a", "\"", "", "\"a\"b\"", "\"a b\"", "*"] {
      #expect(DownloadValidator([.eTag: tag, .lastModified: Self.early, .date: Self.later]) == nil, "\(tag)")
    }
  }

  @Test("Only another value of the same field contradicts a validator")
  func contradiction() {
    let tag = DownloadValidator.entityTag("\"a\"")
    #expect(tag.isContradicted(by: [.eTag: "\"b\""]) && tag.isContradicted(by: [.eTag: "W/\"a\""]))
    #expect(!tag.isContradicted(by: [.eTag: "\"a\""]) && !tag.isContradicted(by: [:]))
    let date = DownloadValidator.lastModified(Self.early)
    #expect(date.isContradicted(by: [.lastModified: Self.later]))
    #expect(!date.isContradicted(by: [.lastModified: Self.early]) && !date.isContradicted(by: [:]))
  }
}
