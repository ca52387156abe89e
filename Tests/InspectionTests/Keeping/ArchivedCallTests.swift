#if SQLite
import CommandRunning
import Foundation
import GRDB
import Testing

@testable import Inspection

@Suite(.timeLimit(.minutes(5))) struct ArchivedCallTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.path + "/calls.sqlite" }

  init() throws { folder = try TemporaryFolder(prefix: "calls") }

  @Test("The calls of a file are read as archives under their numbers, and the file stays as it is")
  func calls() async throws {
    try await KeptRun(path, body: Array("the page".utf8)).send(2).end()
    try await KeptRun(path).send(1).end()
    let before = try Data(contentsOf: URL(filePath: path))
    let calls = try Inspector.calls(keptIn: path)
    #expect(calls.map(\.number) == [1, 2, 3])
    #expect(try calls.map { try JSON($0.summary)["status"].number } == [200, 200, 200])
    let entries = try JSON(try #require(calls.first).archive)["log"]["entries"]
    #expect(
      entries[0]["request"]["url"].text == "https://api.estate.test/v1/homes?page=REDACTED&token=REDACTED")
    #expect(entries[0]["response"]["content"]["text"].text == "the page")
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test("The calls that a killed app had written are read")
  func killedApp() async throws {
    let run = try KeptRun(path)
    try await run.send(3)
    await run.inspector.stop()
    // The copies are what a kill leaves: the last calls are in the log beside the file.
    let copy = folder.url.path + "/copy.sqlite"
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    #expect(try Inspector.calls(keptIn: copy).map(\.number) == [1, 2, 3])
    await run.end()
  }

  @Test("A damaged call is left out, and the others are read")
  func damagedCall() async throws {
    try await KeptRun(path).send(3).end()
    try await DatabaseQueue(path: path).write { database in
      try database.execute(sql: "UPDATE call SET entries = x'0011223344556677' WHERE sequence = 2")
    }
    #expect(try Inspector.calls(keptIn: path).map(\.number) == [1, 3])
  }

  @Test("A file that is open, absent, foreign, no database or of a newer version is refused by its path")
  func unusableFiles() async throws {
    let run = try KeptRun(path)
    let (foreign, text) = (folder.url.path + "/foreign.sqlite", folder.url.path + "/text.sqlite")
    let (newer, absent) = (folder.url.path + "/newer.sqlite", folder.url.path + "/absent.sqlite")
    try await DatabaseQueue(path: foreign).write { try $0.execute(sql: "CREATE TABLE call (a)") }
    try Data(repeating: 0x41, count: 5_000).write(to: URL(filePath: text))
    try await KeptRun(newer).send(1).end()
    try await DatabaseQueue(path: newer).write { try $0.execute(sql: "PRAGMA user_version = 99") }
    let cases: [(String, InspectorError.FileFault)] = [
      (path, .inUse), (foreign, .foreign), (text, .damaged), (newer, .foreign), (absent, .unusable),
    ]
    for (file, fault) in cases {
      #expect(throws: InspectorError(.file(file, fault))) { try Inspector.calls(keptIn: file) }
    }
    #expect(!FileManager.default.fileExists(atPath: absent))
    await run.end()
  }
}
#endif
