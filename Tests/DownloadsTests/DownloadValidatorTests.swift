import HTTPTypes
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

  @Test("A field that may be the same for two versions is not a validator")
  func weak() {
    #expect(DownloadValidator([:]) == nil)
    #expect(DownloadValidator([.lastModified: Self.early]) == nil)
    #expect(DownloadValidator([.lastModified: Self.early, .date: Self.early]) == nil)
    #expect(DownloadValidator([.lastModified: "yesterday", .date: Self.later]) == nil)
    for tag in ["W/\"a\"", "a", "\"", "", "\"a\"b\"", "\"a b\"", "\"ä\"", "*"] {
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
