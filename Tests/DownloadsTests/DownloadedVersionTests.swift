import Foundation
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

  @Test("A stamp changes with the content's length, its modification time and the file itself")
  func stamp() throws {
    let folder = try DownloadFolder()
    #expect(FileStamp.ofFile(at: folder.target) == nil)
    try folder.write([1, 2, 3], "file.bin")
    let first = try #require(FileStamp.ofFile(at: folder.target))
    #expect(FileStamp.ofFile(at: folder.target) == first && first.size == 3)
    #expect(FileStamp("\(first)") == first)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder.target)
    let touched = try #require(FileStamp.ofFile(at: folder.target))
    #expect(touched != first && touched.inode == first.inode)
    #expect(FileStamp.ofFile(at: folder.url.path) == nil)
  }
}
