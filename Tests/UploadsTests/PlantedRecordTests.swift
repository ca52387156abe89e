import Foundation
import Interception
import Testing
import Uploads

@Suite("Files of an upload that another user has planted", .timeLimit(.minutes(5)))
struct PlantedRecordTests {
  private let fixture: UploadFixture

  init() throws { fixture = try UploadFixture() }

  private func refusal(_ service: UploadService) async -> NetworkError? {
    let before = service.log
    let result = await fixture.upload(by: .tus()).result(over: service)
    #expect(result.fault == .record && service.log == before)
    await #expect(throws: NetworkError.self) {
      try await fixture.upload(by: .tus()).discardUnfinished(over: service)
    }
    #expect(service.log == before)
    return result.error
  }

  /// Leaves an unfinished upload with its record.
  private func interrupt() async -> UploadService {
    let service = UploadService(.tus())
    service.next("PATCH", .breakOff(after: 40))
    _ = await fixture.upload(by: .tus()).result(over: service)
    return service
  }

  @Test("A record that is a symbolic link is refused by name, and what it leads to is not touched")
  func linkedRecord() async throws {
    let service = await interrupt()
    try FileManager.default.moveItem(atPath: fixture.recordPath, toPath: fixture.path + ".precious")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.recordPath, withDestinationPath: fixture.path + ".precious")
    let before = try fixture.read("chart.bin.precious")
    let error = await refusal(service)
    #expect(error?.reason.contains(fixture.recordPath) == true)
    #expect(error?.reason.contains("it is a symbolic link") == true)
    #expect(try fixture.read("chart.bin.precious") == before)
  }

  @Test(
    "A lock that is a link is refused by name, also a dangling one",
    arguments: ["hard", "symbolic", "dangling"])
  func linkedLock(kind: String) async throws {
    let service = await interrupt()
    try fixture.write([1, 2, 3], "precious")
    let precious = URL(filePath: fixture.path).deletingLastPathComponent().appending(path: "precious").path
    let lock = fixture.recordPath + ".lock"
    switch kind {
    case "hard": try FileManager.default.linkItem(atPath: precious, toPath: lock)
    case "symbolic": try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: precious)
    default: try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: precious + ".none")
    }
    let before = try fixture.names
    let error = await refusal(service)
    #expect(error?.reason.contains(lock) == true && error?.reason.contains("remove it") == true)
    #expect(try fixture.names == before && fixture.read("precious") == "\u{1}\u{2}\u{3}")
  }

  @Test(
    "A record or a lock of another user is refused, and no request is sent",
    .enabled(if: geteuid() == 0, "Only the superuser can give a file to another user."),
    arguments: ["chart.bin.upload", "chart.bin.upload.lock"])
  func otherOwner(name: String) async throws {
    let service = await interrupt()
    let path = URL(filePath: fixture.path).deletingLastPathComponent().appending(path: name).path
    if name.hasSuffix(".lock") { try fixture.write([], name) }
    try #require(chown(path, 65_534, 65_534) == 0 && chmod(path, 0o666) == 0)
    let error = await refusal(service)
    #expect(error?.reason.contains("another user, with the ID 65534") == true)
    #expect(error?.reason.contains(path) == true)
  }
}
