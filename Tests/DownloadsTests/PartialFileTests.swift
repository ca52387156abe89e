import Foundation
import Interception
import Testing

@testable import Downloads

@Suite struct PartialFileTests {
  @Test("A released file is unlocked, although a child process being started still has it open")
  func released() throws {
    let folder = try DownloadFolder()
    let paths = try DownloadPaths(target: folder.target)
    let copies: [CInt]
    do {
      let file = try PartialFile(paths)
      #expect(throws: NetworkError.self) { try PartialFile(paths) }
      copies = try Self.duplicates(of: paths.part)
      withExtendedLifetime(file) {}
    }
    defer { for copy in copies { close(copy) } }
    try #require(!copies.isEmpty)
    _ = try PartialFile(paths)
  }

  @Test(
    "A record is read as it was written, and one that would be too long is not kept",
    arguments: [(16_000, true), (17_000, false), (200_000, false)])
  func records(tagLength: Int, isKept: Bool) throws {
    let folder = try DownloadFolder()
    let paths = try DownloadPaths(target: folder.target)
    try paths.write(DownloadRecord(identity: 1, validator: .entityTag("\"old\""), total: 3))
    let tag = FieldText([0x22] + [UInt8](repeating: 0xE9, count: tagLength) + [0x22])
    let record = DownloadRecord(identity: 1, validator: .entityTag(tag), total: 3)
    try paths.write(record)
    #expect(try paths.readNote() == (isKept ? record : nil))
    try folder.write([1, 2, 3], "file.bin")
    let stamp = try #require(FileStamp.ofFile(at: folder.target))
    paths.write(DownloadedVersion(record: record, stamp: stamp))
    #expect(paths.readVersion() == (isKept ? record : nil))
    #expect(try folder.names.count == (isKept ? 3 : 1))
  }

  @Test("A run that has lost its file removes neither the file of another run nor its record")
  func discarding() throws {
    let folder = try DownloadFolder()
    let paths = try DownloadPaths(target: folder.target)
    let record = DownloadRecord(identity: 1, validator: .entityTag("\"1\""), total: 3)
    let first = try PartialFile(paths)
    try FileManager.default.removeItem(atPath: paths.part)
    let second = try PartialFile(paths)
    try second.restart(noting: record)
    try second.write([1, 2], at: 0)
    first.discard()
    #expect(try folder.read("file.bin.part") == [1, 2] && paths.readNote() == record)
    second.discard()
    #expect(try folder.names == [])
  }

  @Test("The error for a target that was replaced at the end names who may have replaced it")
  func replacement() throws {
    let folder = try DownloadFolder()
    func fault() -> DownloadFault? {
      let error = PartialFile.replacement(of: folder.target)
      #expect(error.reason.contains(folder.target))
      return error.underlying(as: DownloadFault.self)
    }
    #expect(fault() == .fileSystem(code: ENOENT))
    // A download of another account, in this process or in another one of the same user.
    try folder.write([1], "file.bin")
    #expect(fault() == .occupied)
    try FileManager.default.linkItem(atPath: folder.target, toPath: folder.target + ".second")
    #expect(fault() == .foreignFile)
    try FileManager.default.removeItem(atPath: folder.target)
    try FileManager.default.createSymbolicLink(
      atPath: folder.target, withDestinationPath: folder.target + ".second")
    #expect(fault() == .foreignFile)
  }

  /// Duplicates the descriptors of a file, as a fork does.
  private static func duplicates(of path: String) throws -> [CInt] {
    var file = stat()
    try #require(stat(path, &file) == 0)
    return (0..<1_024).map(CInt.init).compactMap { descriptor in
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_ino == file.st_ino, status.st_dev == file.st_dev else {
        return nil
      }
      let copy = dup(descriptor)
      return copy < 0 ? nil : copy
    }
  }
}
