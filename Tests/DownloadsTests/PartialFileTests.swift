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
