import Interception
import Testing

@testable import Downloads

@Suite("The version of a complete file")
struct DownloadedVersionTests {
  private static let record = DownloadRecord(identity: 7, validator: .entityTag("\"v1\""), total: 3)

  private static func version() throws -> DownloadedVersion {
    DownloadedVersion(record: record, stamp: try #require(FileStamp("file 9 3 100 5")))
  }

  @Test("It is read as it was written")
  func roundTrip() throws {
    let version = try Self.version()
    #expect(DownloadedVersion(version.bytes) == version)
    var record = Self.record
    record.digests = [try FileDigest(.sha256, bytes: [UInt8](repeating: 7, count: 32))]
    let verified = DownloadedVersion(record: record, stamp: version.stamp)
    #expect(DownloadedVersion(verified.bytes) == verified)
    for count in 0..<verified.bytes.count {
      #expect(DownloadedVersion(Array(verified.bytes.prefix(count))) == nil)
    }
  }

  @Test("A truncated or changed one is not read")
  func damaged() throws {
    let bytes = try Self.version().bytes
    for count in 0..<bytes.count { #expect(DownloadedVersion(Array(bytes.prefix(count))) == nil) }
    #expect(DownloadedVersion(bytes + [0x0A]) == nil)
    let text = String(decoding: bytes, as: UTF8.self)
    for (part, other) in [("file 9", "link 9"), ("total 3", "total 4"), ("9 3", "9 -3"), ("100 5", "100")] {
      #expect(DownloadedVersion(Array(text.replacing(part, with: other).utf8)) == nil)
    }
  }
}
