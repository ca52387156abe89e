#if SQLite
import CommandRunning
import Foundation
import Interception
import SQLiteStores
import Testing

@Suite("A response store with planted files", .timeLimit(.minutes(5)))
struct PlantedStoreTests {
  private let fixture: StoreFixture
  private var precious: String { fixture.folder.url.appending(path: "precious").path }

  init() throws { fixture = try StoreFixture() }

  private func createFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  @Test(
    "A planted database is not used, and what it leads to is not written",
    arguments: ["", "-wal", "-shm", "-journal"], PlantedFile.allCases)
  func database(ending: String, plant: PlantedFile) async throws {
    try createFolder(fixture.path)
    try plant.make(at: fixture.database.path + ending, precious: precious)
    let before = try Data(contentsOf: URL(filePath: precious))
    let store = fixture.store()
    let fault = try #require(await store.fault())
    #expect(fault.kind == .foreign)
    #expect(fault.description.contains("responses.sqlite\(ending): "))
    #expect(fault.description.contains(plant.rawValue))
    _ = try await store.keep(StoreFixture.request(1), StoreFixture.body(1, size: 100))
    #expect(await store.body(StoreFixture.request(1)) == nil)
    await store.close()
    #expect(try Data(contentsOf: URL(filePath: precious)) == before)
    #expect(!FileManager.default.fileExists(atPath: precious + ".none"))
  }

  @Test("A folder of bodies that is a link is not used: nothing is written nor removed behind it")
  func linkedBodies() async throws {
    try createFolder(fixture.path)
    try createFolder(precious)
    // The names of a body without a row, and of one that was not completed.
    let names = [String(repeating: "a", count: 32), "notes.part"]
    for name in names { try Data([1]).write(to: URL(filePath: precious + "/" + name)) }
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path + "/bodies", withDestinationPath: precious)
    let store = fixture.store()
    let fault = try #require(await store.fault())
    #expect(fault.kind == .foreign && fault.description.contains("bodies: it is a symbolic link"))
    await store.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: precious).sorted() == names.sorted())
  }

  @Test(
    "A folder of bodies of another user is not used",
    .enabled(if: geteuid() == 0, "Only the superuser can give a file to another user."))
  func foreignBodies() async throws {
    let bodies = fixture.path + "/bodies"
    try createFolder(bodies)
    try #require(chown(bodies, 65_534, 65_534) == 0)
    let store = fixture.store()
    #expect(await store.fault()?.kind == .foreign)
    await store.close()
  }

  @Test(
    "A directory of another user is not used, although the folder of bodies is the user's own",
    .enabled(if: geteuid() == 0, "Only the superuser can give a file to another user."),
    arguments: [false, true])
  func foreignDirectory(isLinked: Bool) async throws {
    let directory = isLinked ? precious : fixture.path
    try createFolder(directory + "/bodies")
    try #require(chown(directory, 65_534, 65_534) == 0)
    if isLinked {
      try FileManager.default.createSymbolicLink(atPath: fixture.path, withDestinationPath: precious)
    }
    let store = fixture.store()
    let fault = try #require(await store.fault())
    #expect(fault.kind == .foreign && fault.description.contains("another user, with the ID 65534"))
    await store.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["bodies"])
  }

  @Test("A link to a directory of the user's own is followed")
  func linkedDirectory() async throws {
    try createFolder(precious)
    try FileManager.default.createSymbolicLink(atPath: fixture.path, withDestinationPath: precious)
    let store = fixture.store()
    #expect(await store.fault() == nil)
    _ = try await store.keep(StoreFixture.request(1), StoreFixture.body(1, size: 100))
    #expect(await store.body(StoreFixture.request(1)) == StoreFixture.body(1, size: 100))
    await store.close()
  }
}
#endif
