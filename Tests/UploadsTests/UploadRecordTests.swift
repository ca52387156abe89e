import CommandRunning
import Foundation
import Interception
import Testing

@testable import Uploads

@Suite("The record of an upload")
struct UploadRecordTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.appending(path: "a.upload").path }

  init() throws { folder = try TemporaryFolder(prefix: "upload-record") }

  private func record(expires: Int64? = 784_111_777, owner: String? = nil) throws -> UploadRecord {
    UploadRecord(
      identity: String(repeating: "a", count: 64), owner: owner,
      stamp: try #require(FileStamp("file 9 3 100 5")),
      expires: expires.map { WallTime(secondsSince1970: $0, nanoseconds: 7) },
      target: try #require(UploadTarget("https://a.example/u/1?t=s")))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  @Test(
    "It is parsed as it was written, but for fractions of seconds",
    arguments: [784_111_777, -1, nil] as [Int64?])
  func roundTrip(expires: Int64?) throws {
    let record = try record(expires: expires)
    #expect(UploadRecord(record.bytes) == record)
    let owned = try self.record(expires: expires, owner: String(repeating: "0f", count: 32))
    #expect(UploadRecord(owned.bytes) == owned && owned != record)
    for count in 0..<owned.bytes.count { #expect(UploadRecord(Array(owned.bytes.prefix(count))) == nil) }
    let text = String(decoding: owned.bytes, as: UTF8.self)
    for (part, other) in [("upload 2", "upload 1"), ("owner 0f", "owner 0F"), ("owner 0f", "owner 0")] {
      #expect(UploadRecord(Array(text.replacing(part, with: other).utf8)) == nil, "\(other)")
    }
  }

  @Test("A truncated or changed one is not parsed")
  func damaged() throws {
    let bytes = try record().bytes
    for count in 0..<bytes.count { #expect(UploadRecord(Array(bytes.prefix(count))) == nil) }
    let text = String(decoding: bytes, as: UTF8.self)
    for (part, other) in [
      ("upload 1", "upload 2"), ("identity aaa", "identity aa"), ("file 9", "link 9"), ("784", "78x"),
      ("https", "ftp"), ("/u/1", "/u\u{FFFF}\n/1"), ("end\n", "end"),
    ] {
      #expect(UploadRecord(Array(text.replacing(part, with: other).utf8)) == nil, "\(other)")
    }
    #expect(UploadRecord([0xFF]) == nil)
  }

  @Test("It is written for its owner only, replaced and removed, and no lock remains")
  func file() throws {
    let (first, second) = (try record(), try record(expires: nil))
    do {
      let file = try UploadRecordFile(path)
      #expect(try file.read() == nil)
      try file.write(first)
      #expect(try file.read() == first)
      try file.write(second)
      #expect(try file.read() == second)
      #expect(try names() == ["a.upload", "a.upload.lock"])
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    #expect(try names() == ["a.upload"])
    let file = try UploadRecordFile(path)
    #expect(try file.read() == second)
    try file.remove()
    try file.remove()
    #expect(try file.read() == nil)
  }

  @Test("A record is locked until it is released, although the lock of a killed process remains")
  func locked() throws {
    try Data().write(to: URL(filePath: path + ".lock"))
    do {
      let file = try UploadRecordFile(path)
      let error = #expect(throws: NetworkError.self) { try UploadRecordFile(path) }
      #expect(error?.underlying(as: UploadFault.self) == .occupied)
      withExtendedLifetime(file) {}
    }
    _ = try UploadRecordFile(path)
    #expect(try names() == [])
  }

  @Test("A file that is not a record is never replaced, and a damaged or later record is set aside")
  func foreign() throws {
    try Data("My notes".utf8).write(to: URL(filePath: path))
    let file = try UploadRecordFile(path)
    let error = #expect(throws: NetworkError.self) { try file.read() }
    #expect(error?.underlying(as: UploadFault.self) == .record)
    #expect(error?.reason.contains(path) == true)
    let others = ["switchyard-upload 1\nidentity", "switchyard-upload 3\nidentity 7\n"]
    for (number, text) in others.enumerated() {
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(try file.read() == nil)
      #expect(!FileManager.default.fileExists(atPath: path))
      let copy = "\(path).damaged-\(number + 1)"
      #expect(try String(contentsOfFile: copy, encoding: .utf8) == text)
    }
  }

  @Test("A link, a folder, a missing folder and a name without a file are errors")
  func unfit() throws {
    for path in ["", folder.url.path + "/", "a\0b"] {
      let error = #expect(throws: NetworkError.self) { try UploadRecordFile(path) }
      #expect(error?.kind == .invalidRequest)
    }
    let missing = #expect(throws: NetworkError.self) { try UploadRecordFile(folder.url.path + "/no/a") }
    #expect(missing?.underlying(as: UploadFault.self) == .record)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/hostname")
    let linked = try UploadRecordFile(path)
    #expect(throws: NetworkError.self) { try linked.read() }
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.path + "/b.lock", withDestinationPath: folder.url.path + "/precious")
    #expect(throws: NetworkError.self) { try UploadRecordFile(folder.url.path + "/b") }
    #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/precious"))
  }
}
