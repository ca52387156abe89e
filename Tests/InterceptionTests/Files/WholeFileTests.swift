import Foundation
import Interception
import Testing

@Suite struct WholeFileTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "whole-file-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func file(_ name: String) -> WholeFile { WholeFile(path: folder.appending(path: name).path) }

  @Test("A file is read as it was replaced, for its owner only; a missing one has no bytes")
  func replacing() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = file("a")
    #expect(try file.bytes(upTo: 9) == nil)
    try file.replace(with: [1, 2, 3], isSynchronized: true)
    try Data([9]).write(to: URL(filePath: file.path + ".new"))
    try file.replace(with: [], isSynchronized: false)
    #expect(try file.bytes(upTo: 9) == [])
    try file.replace(with: [4, 5], isSynchronized: false)
    #expect(try file.bytes(upTo: 2) == [4, 5])
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
  }

  @Test("A long file, a folder, a symbolic link and a missing folder are faults with a reason")
  func faults() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = file("a")
    try file.replace(with: [1, 2, 3], isSynchronized: false)
    #expect(throws: WholeFileFault(reason: "it has more than 2 bytes")) { try file.bytes(upTo: 2) }
    #expect(throws: WholeFileFault(reason: "it is not a regular file")) {
      try WholeFile(path: folder.path).bytes(upTo: 2)
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "link").path, withDestinationPath: file.path)
    #expect(throws: WholeFileFault.self) { try self.file("link").bytes(upTo: 9) }
    #expect(throws: WholeFileFault.self) {
      try self.file("missing/a").replace(with: [1], isSynchronized: false)
    }
  }
}
