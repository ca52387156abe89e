import Downloads
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("Files of a download that another user has planted", .timeLimit(.minutes(5)))
struct PlantedFileTests {
  private static let content = (0..<100).map { UInt8($0) }
  private static let stranger: uid_t = 65_534
  private let folder: DownloadFolder
  private var part: String { folder.target + ".part" }

  init() throws { folder = try DownloadFolder() }

  private var download: FileDownload {
    FileDownload(
      Request(authority: "a.example", path: "/file"), to: folder.target,
      policy: DownloadPolicy(failureLimit: 1))
  }

  private func failure(_ server: RangeServer) async -> NetworkError? {
    await #expect(throws: NetworkError.self) { try await download.run(over: server) }
  }

  private func give(_ name: String) throws {
    let path = folder.url.appending(path: name).path
    try #require(chown(path, Self.stranger, Self.stranger) == 0 && chmod(path, 0o666) == 0)
  }

  /// Leaves an unfinished file of 30 bytes with its record.
  private func interrupt() async { _ = await failure(RangeServer(Self.content, breaksAfter: 30)) }

  @Test("An unfinished file with a second name is refused before anything is requested, and not written")
  func hardLink() async throws {
    try folder.write([1, 2, 3], "precious")
    try FileManager.default.linkItem(atPath: folder.url.path + "/precious", toPath: part)
    let server = RangeServer(Self.content)
    let error = await failure(server)
    #expect(error?.underlying(as: DownloadFault.self) == .foreignFile && error?.kind == .invalidRequest)
    #expect(error?.reason.contains(part) == true && error?.reason.contains("2 names") == true)
    #expect(error?.reason.contains("remove it") == true && error?.requestMayHaveBeenProcessed == false)
    #expect(try folder.read("precious") == [1, 2, 3] && server.requests.isEmpty)
    #expect(throws: NetworkError.self) { try download.discardUnfinished() }
  }

  @Test("A symbolic link, also a dangling one, is refused by name", arguments: ["precious", "none"])
  func symbolicLink(destination: String) async throws {
    try folder.write([1, 2, 3], "precious")
    try FileManager.default.createSymbolicLink(
      atPath: part, withDestinationPath: folder.url.appending(path: destination).path)
    let server = RangeServer(Self.content)
    #expect(await failure(server)?.reason.contains("it is a symbolic link; remove it") == true)
    #expect(try folder.read("precious") == [1, 2, 3] && folder.names == ["file.bin.part", "precious"])
    #expect(server.requests.isEmpty)
  }

  @Test(
    "An unfinished file of another user is refused, alone or with a record, although it can be written",
    .enabled(if: geteuid() == 0, "Only the superuser can give a file to another user."),
    arguments: [["file.bin.part"], ["file.bin.part", "file.bin.part.info"]])
  func foreignPart(names: [String]) async throws {
    await interrupt()
    for name in names { try give(name) }
    // The other user keeps it open.
    let kept = try FileHandle(forUpdating: URL(filePath: part))
    let server = RangeServer(Self.content)
    let error = await failure(server)
    #expect(error?.underlying(as: DownloadFault.self) == .foreignFile)
    #expect(error?.reason.contains("another user, with the ID \(Self.stranger)") == true)
    #expect(server.requests.isEmpty && !FileManager.default.fileExists(atPath: folder.target))
    try FileManager.default.removeItem(atPath: part)
    #expect(try await download.run(over: server).length == 100)
    try kept.write(contentsOf: Data(repeating: 9, count: 50))
    try kept.close()
    #expect(try folder.read() == Self.content)
  }

  @Test(
    "A record of another user is not used",
    .enabled(if: geteuid() == 0, "Only the superuser can give a file to another user."))
  func foreignRecord() async throws {
    await interrupt()
    try give("file.bin.part.info")
    let server = RangeServer(Self.content)
    #expect(try await download.run(over: server).resumedFrom == 0)
    #expect(try server.ranges == [nil] && folder.read() == Self.content)
  }

  @Test(
    "A version of another user, or of another user's file, does not confirm the target",
    .enabled(if: geteuid() == 0, "Only the superuser can give a file to another user."),
    arguments: [".file.bin.version", "file.bin"])
  func foreignVersion(name: String) async throws {
    let server = RangeServer(Self.content)
    _ = try await download.run(over: server)
    try give(name)
    #expect(try await !download.run(over: server).isUnchanged)
    #expect(server.requests.allSatisfy { $0.head.headerFields[.ifNoneMatch] == nil })
    let status = try #require(FileStatus(at: folder.target))
    #expect(try status.finding(for: .writing) == nil && folder.read() == Self.content)
  }

  @Test("A record or a version that is a symbolic link is not followed, and is replaced")
  func linkedRecords() async throws {
    let server = RangeServer(Self.content)
    _ = try await download.run(over: server)
    let version = folder.url.path + "/.file.bin.version"
    try FileManager.default.moveItem(atPath: version, toPath: folder.url.path + "/precious")
    try FileManager.default.createSymbolicLink(
      atPath: version, withDestinationPath: folder.url.path + "/precious")
    let before = try folder.read("precious")
    #expect(try await !download.run(over: server).isUnchanged)
    #expect(try folder.read("precious") == before)
    #expect(FileStatus(at: version)?.kind == .regular)
    #expect(try await download.run(over: server).isUnchanged)
  }

  @Test("A file that takes the place of the unfinished one while it arrives does not become the target")
  func swapped() async throws {
    let server = RangeServer(Self.content)
    let folder = folder
    let swapping = ScriptedDispatcher { request, _ throws(NetworkError) in
      try? FileManager.default.removeItem(atPath: folder.target + ".part")
      try? folder.write([6, 6, 6], "file.bin.part")
      return try await server.dispatch(request)
    }
    await #expect(throws: NetworkError.self) { try await download.run(over: swapping) }
    #expect(server.ranges == [nil])
    #expect(!FileManager.default.fileExists(atPath: folder.target))
  }
}
