import Interception
import Testing

@testable import Downloads

@Suite("A download's record")
struct DownloadRecordTests {
  static let records = [
    DownloadRecord(identity: .max, validator: .entityTag("\"a-b\""), total: 5),
    DownloadRecord(identity: 0, validator: .lastModified(DownloadValidatorTests.early), total: nil),
    DownloadRecord(
      identity: 1, validator: .entityTag("\"v1\""), total: 5,
      digests: FileDigest.Algorithm.allCases.compactMap { algorithm in
        FileDigest(algorithm, stated: [UInt8](repeating: 7, count: algorithm == .sha256 ? 32 : 64))
      }, parts: DownloadParts([(0..<2, 2), (2..<4, 3), (4..<5, 4)], total: 5)),
    DownloadRecord(
      identity: 2, validator: .entityTag(FieldText([0x22, 0xE9, 0xFF, 0x22])), total: 5,
      codings: ["gzip", "br"]),
    DownloadRecord(
      identity: 3, owner: String(repeating: "0f", count: 32), validator: .entityTag("\"v1\""), total: 5),
  ]

  @Test("A record without an owner, digests, codings and parts has the format of earlier releases")
  func formats() {
    let titles = Self.records.map { String(decoding: $0.bytes.prefix(21), as: UTF8.self) }
    #expect(titles == ["1", "1", "2", "2", "2"].map { "switchyard-download \($0)" })
    #expect(Self.records[2].digests.count == 2 && Self.records[2].parts?.list.count == 3)
  }

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

  @Test(
    "A record with a damaged owner is refused",
    arguments: [
      ("owner 0f", "owner 0F"), ("owner 0f", "owner 0"), ("owner 0f", "loner 0f"), ("end\n", "owner\nend\n"),
    ])
  func damagedOwner(part: String, other: String) {
    let text = String(decoding: Self.records[4].bytes, as: UTF8.self)
    #expect(text.contains(part))
    #expect(DownloadRecord(Array(text.replacing(part, with: other).utf8)) == nil)
    let line = "owner \(String(repeating: "0f", count: 32))\n"
    #expect(DownloadRecord(Array(text.replacing(line, with: line + line).utf8)) == nil)
  }

  @Test(
    "A record with a damaged digest or part is refused",
    arguments: [
      ("download 2", "download 1"), ("sha-256", "sha-255"), ("sha-256 ", "sha-256"),
      ("sha-512 Bw", "sha-512 "),
      ("part 0 2 2", "part 0 2"), ("part 0 2 2", "part 0 2 3"), ("part 0 2 2", "part 0 2 -1"),
      ("part 0 2 2", "part 1 2 2"), ("part 0 2 2\n", ""), ("part 2 4 3", "part 2 3 3"), ("4 5 4", "4 4 4"),
      ("4 5 4", "5 4 4"), ("4 5 4", "4 6 4"), ("total 5", "total 6"), ("total 5", "total unknown"),
      ("part 4", "peace 4"), ("end\n", "part 5 6 5\nend\n"),
    ])
  func damagedExtensions(part: String, other: String) {
    let text = String(decoding: Self.records[2].bytes, as: UTF8.self)
    #expect(text.contains(part))
    #expect(DownloadRecord(Array(text.replacing(part, with: other).utf8)) == nil)
  }
}
