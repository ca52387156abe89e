#if SQLite
import CommandRunning
import DurableQueues
import Foundation
import GRDB
import Interception
import Testing

@Suite("The ownership of a database", .timeLimit(.minutes(5)))
struct DatabaseOwnershipTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.appending(path: "queue.sqlite").path }
  private var precious: String { folder.url.appending(path: "precious").path }

  init() throws { folder = try TemporaryFolder(prefix: "ownership") }

  private static let format = QueueFile.Format(
    applicationID: 0x5359_0001, schema: "CREATE TABLE entry (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")

  private func open() throws(QueueFileError) -> QueueFile {
    try QueueFile.open(
      path, format: Self.format, synchronizesCommits: false, now: WallTime(secondsSince1970: 1)
    ) { _ in }.file
  }

  /// Opens the queue, which salvages an entry if it is damaged.
  private func openSalvaging() throws(QueueFileError) -> QueueFile {
    try QueueFile.open(
      path, format: Self.format, synchronizesCommits: false, now: WallTime(secondsSince1970: 1),
      salvage: { try $0.intact.execute(sql: "INSERT INTO entry (text) VALUES ('salvaged')") }, load: { _ in }
    ).file
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  @Test("A new database is the user's own, for its owner only, and its identity that of the file")
  func created() throws {
    let ownership = try DatabaseOwnership(of: path)
    #expect(try names() == ["queue.sqlite"])
    #expect(try ownership.ofOpened() == FileIdentity(path: path))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let missing = try DatabaseOwnership(of: path + "/none/x")
    #expect(try missing.ofOpened() == nil)
  }

  @Test(
    "A planted database, or a planted file beside it, is refused by name",
    arguments: ["", "-wal", "-shm", "-journal"], PlantedFile.allCases)
  func planted(ending: String, plant: PlantedFile) throws {
    try plant.make(at: path + ending, precious: precious)
    let before = try Data(contentsOf: URL(filePath: precious))
    let refusal = #expect(throws: DatabaseOwnership.Refusal.self) { try DatabaseOwnership(of: path) }
    #expect(refusal?.path == path + ending)
    #expect(refusal.map { "\($0.finding)" }?.contains(plant.rawValue) == true)
    #expect(try Data(contentsOf: URL(filePath: precious)) == before)
    #expect(!FileManager.default.fileExists(atPath: precious + ".none"))
  }

  @Test("A database that is replaced while it is opened is refused")
  func replaced() throws {
    let ownership = try DatabaseOwnership(of: path)
    try FileManager.default.moveItem(atPath: path, toPath: precious)
    try Data().write(to: URL(filePath: path))
    let refusal = #expect(throws: DatabaseOwnership.Refusal.self) { try ownership.ofOpened() }
    #expect(refusal?.finding == .replaced)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: precious)
    let link = #expect(throws: DatabaseOwnership.Refusal.self) { try ownership.ofOpened() }
    #expect(link?.finding == .symbolicLink)
  }

  @Test(
    "A queue file neither opens nor writes what was planted, and says what to do",
    arguments: ["", "-wal", "-journal"], PlantedFile.allCases)
  func queue(ending: String, plant: PlantedFile) throws {
    if ending.isEmpty { try open().close() }
    try plant.make(at: path + ending, precious: precious)
    let before = try Data(contentsOf: URL(filePath: precious))
    let error = #expect(throws: QueueFileError.self) { try open() }
    #expect(error?.kind == .foreign)
    let text = error?.description ?? ""
    #expect(text.contains("\"\(path + ending)\"") && text.contains(plant.rawValue))
    #expect(text.contains("remove it, or use a file in a folder that only you can write"))
    #expect(try Data(contentsOf: URL(filePath: precious)) == before)
    #expect(!FileManager.default.fileExists(atPath: precious + ".none"))
    try FileManager.default.removeItem(atPath: path + ending)
    try open().close()
  }

  @Test(
    "What was planted as the replacement of a damaged file does not become the queue",
    arguments: PlantedFile.allCases)
  func replacement(plant: PlantedFile) throws {
    try plant.make(at: path + ".salvage", precious: precious)
    let before = try Data(contentsOf: URL(filePath: precious))
    let error = #expect(throws: QueueFileError.self) { try open() }
    #expect(error?.kind == .foreign && error?.description.contains(".salvage") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try Data(contentsOf: URL(filePath: precious)) == before)
  }

  // A folder stands for what can't be removed, such as another user's file in a folder like /tmp.
  @Test(
    "What is planted where a damaged queue is salvaged gives up nothing, until it is removed",
    arguments: [".salvage", ".salvage-wal", ".salvage-journal", "-wal", "-journal"])
  func salvage(ending: String) throws {
    let file = try open()
    #expect(throws: QueueFileError.self) { try file.check { throw RecordDamage() } }
    file.close()
    let before = try Data(contentsOf: URL(filePath: path))
    try FileManager.default.createDirectory(atPath: path + ending, withIntermediateDirectories: false)
    let error = #expect(throws: QueueFileError.self) { try openSalvaging() }
    #expect(error?.kind == .foreign && error?.description.contains("\"\(path + ending)\"") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try !names().contains { $0.contains(".damaged-") })
    try FileManager.default.removeItem(atPath: path + ending)
    let next = try openSalvaging()
    #expect(next.damagedFile != nil)
    #expect(try next.access { try String.fetchAll($0, sql: "SELECT text FROM entry") } == ["salvaged"])
    next.close()
  }

  @Test("A log that gets a second name, or a link in its place, while the database is opened is refused")
  func log() throws {
    for isLink in [false, true] {
      let error = #expect(throws: QueueFileError.self) {
        try QueueFile.open(
          path, format: Self.format, synchronizesCommits: false, now: WallTime(secondsSince1970: 1)
        ) { _ in
          let files = FileManager.default
          if isLink {
            try files.moveItem(atPath: path + "-wal", toPath: precious + "2")
            try files.createSymbolicLink(atPath: path + "-wal", withDestinationPath: precious + "2")
          } else {
            try files.linkItem(atPath: path + "-wal", toPath: precious)
          }
        }
      }
      #expect(error?.kind == .foreign && error?.description.contains("\(path)-wal") == true)
      for name in try names() { try FileManager.default.removeItem(at: folder.url.appending(path: name)) }
    }
  }

  // Nothing is written to a lock, so that it may have a second name.
  @Test(
    "A planted lock is refused by name, and what it leads to is not created",
    arguments: PlantedFile.allCases.filter { $0 != .hardLink })
  func lock(plant: PlantedFile) throws {
    try plant.make(at: path + ".lock", precious: precious)
    let error = #expect(throws: QueueFileError.self) { try open() }
    #expect(error?.kind == .foreign && error?.description.contains("\"\(path).lock\"") == true)
    #expect(error?.description.contains(plant.rawValue) == true)
    #expect(!FileManager.default.fileExists(atPath: precious + ".none"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  // A second name of a file of the user's own says no less than the first.
  @Test(
    "A planted mark of damage does not set the queue aside",
    arguments: PlantedFile.allCases.filter { $0 != .hardLink })
  func mark(plant: PlantedFile) throws {
    let file = try open()
    try file.access { try $0.execute(sql: "INSERT INTO entry (text) VALUES ('kept')") }
    file.close()
    try plant.make(at: path + ".damaged", precious: precious)
    let again = try open()
    #expect(again.damagedFile == nil)
    #expect(try again.access { try String.fetchOne($0, sql: "SELECT text FROM entry") } == "kept")
    again.close()
  }

  @Test("What is planted as the mark does not hide damage that is found", arguments: PlantedFile.allCases)
  func marking(plant: PlantedFile) throws {
    let file = try open()
    try plant.make(at: path + ".damaged", precious: precious)
    let before = try Data(contentsOf: URL(filePath: precious))
    #expect(throws: QueueFileError.self) { try file.check { throw RecordDamage() } }
    file.close()
    let status = try #require(FileStatus(at: path + ".damaged"))
    #expect(status.finding(for: .reading) == nil)
    #expect(try Data(contentsOf: URL(filePath: precious)) == before)
    #expect(!FileManager.default.fileExists(atPath: precious + ".none"))
    let again = try open()
    #expect(again.damagedFile != nil)
    again.close()
  }
}
#endif
