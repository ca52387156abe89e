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

  @Test("A symbolic link is named as one, also a dangling one, and what it leads to is not touched")
  func links() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let precious = file("precious")
    try precious.replace(with: [1], isSynchronized: false)
    for destination in [precious.path, folder.appending(path: "none").path] {
      let link = file("link")
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: destination)
      #expect(throws: WholeFileFault(reason: "it is a symbolic link")) { try link.bytes(upTo: 9) }
      try link.replace(with: [2], isSynchronized: false)
      #expect(try link.bytes(upTo: 9) == [2])
      try FileManager.default.removeItem(atPath: link.path)
    }
    #expect(try precious.bytes(upTo: 9) == [1] && file("none").bytes(upTo: 9) == nil)
  }

  @Test("A second name keeps the former content when a file is replaced")
  func secondName() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, second) = (file("a"), file("b"))
    try file.replace(with: [1], isSynchronized: false)
    try FileManager.default.linkItem(atPath: file.path, toPath: second.path)
    try file.replace(with: [2], isSynchronized: false)
    #expect(try second.bytes(upTo: 9) == [1] && file.bytes(upTo: 9) == [2])
  }

  @Test(
    "A file of another user is not read, and is replaced by a new one",
    .enabled(if: geteuid() == 0, "Only the superuser can give a file to another user."))
  func otherOwner() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = file("a")
    try file.replace(with: [1], isSynchronized: false)
    try #require(chown(file.path, 65_534, 65_534) == 0 && chmod(file.path, 0o666) == 0)
    let reason = "it belongs to another user, with the ID 65534"
    #expect(throws: WholeFileFault(reason: reason)) { try file.bytes(upTo: 9) }
    let kept = try FileHandle(forUpdating: URL(filePath: file.path))
    try file.replace(with: [2], isSynchronized: false)
    try kept.write(contentsOf: Data([9]))
    try kept.close()
    #expect(try file.bytes(upTo: 9) == [2])
  }

  @Test("A file that is set aside gets another name; of the fourth one on, the oldest is removed")
  func settingAside() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = file("a")
    #expect(file.setAside() == nil)
    for number: UInt8 in 1...5 {
      try file.replace(with: [number], isSynchronized: false)
      #expect(file.setAside() == "\(file.path).damaged-\(min(number, 3))")
      #expect(try file.bytes(upTo: 9) == nil)
    }
    let kept = try (1...3).map { try self.file("a.damaged-\($0)").bytes(upTo: 9) }
    #expect(kept == [[3], [4], [5]])
    for copy in file.filesSetAside { copy.remove() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("A file of which a part is used has both names until it is replaced")
  func keeping() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = file("a")
    try file.replace(with: [1], isSynchronized: false)
    let copy = try #require(file.setAside(isKept: true))
    #expect(try file.bytes(upTo: 9) == [1])
    try file.replace(with: [2], isSynchronized: false)
    #expect(try WholeFile(path: copy).bytes(upTo: 9) == [1])
    #expect(try file.bytes(upTo: 9) == [2])
  }

  @Test("If the usual names can't be used, a random number is in the name, at most three times")
  func randomNames() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = file("a")
    // A folder that has files is replaced by no file, as if it were another user's in a folder like /tmp.
    let blocking = (1...3).map { "\(file.path).damaged-\($0)" }
    for path in blocking {
      try FileManager.default.createDirectory(atPath: path + "/b", withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: path + "/c", withIntermediateDirectories: true)
    }
    // Names that only look similar are left alone.
    for name in ["a.damaged-x", "ab.damaged-99999999999", "a.damaged-7"] {
      try self.file(name).replace(with: [0], isSynchronized: false)
    }
    for number: UInt8 in 1...5 {
      try file.replace(with: [number], isSynchronized: false)
      let copy = try #require(file.setAside(isKept: number == 1))
      #expect(copy.hasPrefix(file.path + ".damaged-") && !blocking.contains(copy))
      #expect(try WholeFile(path: copy).bytes(upTo: 9) == [number])
      #expect(try file.bytes(upTo: 9) == (number == 1 ? [1] : nil))
      #expect(file.filesSetAside.contains(WholeFile(path: copy)))
    }
    #expect(file.filesSetAside.count == 6)
    for copy in file.filesSetAside { copy.remove() }
    #expect(file.filesSetAside.map(\.path) == blocking)
    for name in ["a.damaged-x", "ab.damaged-99999999999", "a.damaged-7"] {
      #expect(try self.file(name).bytes(upTo: 9) == [0])
    }
  }

  @Test(
    "A fault of the system that may pass is distinguished from one of the file",
    arguments: [
      (EMFILE, true), (ENFILE, true), (ENOMEM, true), (EIO, true), (EINTR, true), (EAGAIN, true),
      (EBUSY, true), (EPERM, true), (EACCES, false), (ENOTDIR, false), (ENAMETOOLONG, false),
      (ENOSPC, false), (ELOOP, false),
    ] as [(CInt, Bool)])
  func passing(code: CInt, isPassing: Bool) {
    let fault = WholeFileFault(code: code)
    #expect(fault.isPassing == isPassing && fault.code == code && !fault.reason.isEmpty)
    #expect(!WholeFileFault(reason: "it is a symbolic link").isPassing)
  }

  @Test("A symbolic link is set aside and not what it leads to; a folder and a FIFO keep their names")
  func otherKinds() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = file("a")
    try file.replace(with: [1], isSynchronized: false)
    let link = self.file("link")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: file.path)
    #expect(link.setAside() == link.path + ".damaged-1")
    #expect(try file.bytes(upTo: 9) == [1])
    #expect(WholeFile(path: folder.path).setAside() == nil)
    let fifo = self.file("fifo")
    #expect(mkfifo(fifo.path, 0o600) == 0)
    #expect(fifo.setAside() == nil)
    // Nor are they replaced.
    for file in [fifo, WholeFile(path: folder.path)] {
      #expect(throws: WholeFileFault(reason: "it is not a regular file")) {
        try file.replace(with: [1], isSynchronized: false)
      }
    }
  }
}
