import Testing

@testable import Downloads

@Suite("A download's record")
struct DownloadRecordTests {
  static let records = [
    DownloadRecord(identity: .max, validator: .entityTag("\"a b\"".replacing(" ", with: "-")), total: 5),
    DownloadRecord(identity: 0, validator: .lastModified(DownloadValidatorTests.early), total: nil),
  ]

  @Test("A record is parsed as it was written", arguments: records)
  func roundTrip(record: DownloadRecord) {
    #expect(DownloadRecord(record.bytes) == record)
  }

  @Test("A truncated record is refused", arguments: records)
  func cut(record: DownloadRecord) {
    for count in 0..<record.bytes.count { #expect(DownloadRecord(Array(record.bytes[..<count])) == nil) }
  }

  @Test(
    "A damaged record is refused",
    arguments: [
      ("switchyard-download 1", "switchyard-download 2"), ("identity ffff", "identity xfff"),
      ("etag \"", "etag W/\""), ("etag \"a", "etag \"\ra"), ("total 5", "total -5"), ("total 5", "total "),
      ("end\n", "end\nmore\n"),
    ])
  func damaged(part: String, other: String) {
    let text = String(decoding: Self.records[0].bytes, as: UTF8.self)
    #expect(text.contains(part))
    #expect(DownloadRecord(Array(text.replacing(part, with: other).utf8)) == nil)
  }
}
