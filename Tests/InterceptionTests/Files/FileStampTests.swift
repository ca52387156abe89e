import Foundation
import Interception
import Testing

@Suite struct FileStampTests {
  @Test("A stamp changes with the content's length, its modification time and the file itself")
  func stamp() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "file-stamp-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "file.bin").path
    #expect(FileStamp.ofFile(at: path) == nil)
    try Data([1, 2, 3]).write(to: URL(filePath: path))
    let first = try #require(FileStamp.ofFile(at: path))
    #expect(FileStamp.ofFile(at: path) == first && first.size == 3)
    #expect(FileStamp("\(first)") == first)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    let touched = try #require(FileStamp.ofFile(at: path))
    #expect(touched != first && touched.inode == first.inode)
    #expect(FileStamp.ofFile(at: folder.path) == nil)
  }

  @Test("A symbolic link has a stamp only if links are followed")
  func links() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "file-stamp-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (path, link) = (folder.appending(path: "file").path, folder.appending(path: "link").path)
    try Data([1]).write(to: URL(filePath: path))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(FileStamp.ofFile(at: link) == nil)
    #expect(FileStamp.ofFile(at: link, followingLinks: true) == FileStamp.ofFile(at: path))
  }
}
