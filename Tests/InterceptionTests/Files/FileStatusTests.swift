import Foundation
import Interception
import Testing

@Suite("The status of a file")
struct FileStatusTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "file-status-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  @Test("The status is that of the name itself, and not of what a link leads to")
  func names() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(FileStatus(at: path("none")) == nil)
    try Data([1]).write(to: URL(filePath: path("file")))
    let alone = try #require(FileStatus(at: path("file")))
    #expect(alone.kind == .regular && alone.links == 1 && alone.owner == UInt32(geteuid()))
    #expect(alone.finding(for: .writing) == nil)
    try FileManager.default.linkItem(atPath: path("file"), toPath: path("second"))
    let both = try #require(FileStatus(at: path("second")))
    #expect(both.identity == alone.identity && both.finding(for: .writing) == .severalNames(2))
    for destination in [path("file"), path("none")] {
      try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: destination)
      #expect(FileStatus(at: path("link"))?.finding(for: .reading) == .symbolicLink)
      try FileManager.default.removeItem(atPath: path("link"))
    }
    #expect(FileStatus(at: folder.path)?.finding(for: .containing) == nil)
    try #require(mkfifo(path("fifo"), 0o600) == 0)
    #expect(FileStatus(at: path("fifo"))?.finding(for: .reading) == .notRegular)
    let handle = try FileHandle(forReadingFrom: URL(filePath: path("file")))
    #expect(FileStatus(ofDescriptor: handle.fileDescriptor)?.identity == both.identity)
    try handle.close()
    #expect(FileStatus(ofDescriptor: -1) == nil)
  }

  @Test("A replaced file has another identity")
  func identity() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data([1]).write(to: URL(filePath: path("file")))
    try Data([1]).write(to: URL(filePath: path("other")))
    let first = try #require(FileIdentity(path: path("file")))
    #expect(FileIdentity(path: path("file")) == first && FileIdentity(path: path("other")) != first)
    #expect(FileIdentity(path: path("none")) == nil)
  }
}

@Suite("Findings about a file")
struct FileFindingTests {
  @Test(
    "Only the user's own file is used, and only one with a single name is written in place",
    arguments: [
      (.regular, 7, 1, .reading, nil), (.regular, 7, 1, .writing, nil), (.folder, 7, 5, .containing, nil),
      (.regular, 7, 2, .reading, nil), (.regular, 7, 2, .writing, .severalNames(2)),
      (.regular, 7, 0, .writing, .severalNames(0)),
      (.regular, 8, 1, .reading, .otherOwner(8)), (.regular, 0, 1, .writing, .otherOwner(0)),
      (.folder, 8, 5, .containing, .otherOwner(8)), (.folder, 0, 5, .containing, nil),
      (.regular, 0, 1, .reading, .otherOwner(0)), (.regular, 8, 2, .writing, .otherOwner(8)),
      (.symbolicLink, 7, 1, .reading, .symbolicLink), (.symbolicLink, 7, 1, .writing, .symbolicLink),
      (.symbolicLink, 7, 1, .containing, .symbolicLink), (.symbolicLink, 8, 1, .writing, .symbolicLink),
      (.folder, 7, 1, .reading, .notRegular), (.other, 7, 1, .reading, .notRegular),
      (.other, 7, 1, .writing, .notRegular), (.regular, 7, 1, .containing, .notFolder),
      (.other, 7, 1, .containing, .notFolder),
    ] as [(FileStatus.Kind, UInt32, UInt64, FileStatus.Use, FileFinding?)])
  func findings(
    kind: FileStatus.Kind, owner: UInt32, links: UInt64, use: FileStatus.Use, finding: FileFinding?
  ) {
    let status = FileStatus(
      kind: kind, owner: owner, links: links, identity: FileIdentity(device: 1, number: 2))
    #expect(status.finding(for: use, by: 7) == finding)
  }

  @Test("A finding is a phrase that names what was found")
  func phrases() {
    let findings: [FileFinding] = [
      .symbolicLink, .notRegular, .notFolder, .otherOwner(12), .severalNames(3), .severalNames(0), .replaced,
    ]
    #expect(Set(findings.map { "\($0)" }).count == findings.count)
    #expect("\(FileFinding.otherOwner(12))" == "it belongs to another user, with the ID 12")
    #expect("\(FileFinding.severalNames(3))" == "it has 3 names, by hard links")
  }
}
