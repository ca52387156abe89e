import CommandRunning
import Foundation
import Testing

@Suite("A type behind a trait that is off", .timeLimit(.minutes(5)))
struct MissingTraitTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test(
    "The compiler says which trait to add, also where the type is created",
    .enabled(if: Typechecker.isAvailable),
    arguments: [
      (
        "Sources/Calls/DurableQueues/UnavailableQueues",
        #"ActivityLog(path: "a", uploading: ActivityUpload(1), over: 2)"#, "SQLite"
      ),
      (
        "Sources/Calls/DurableQueues/UnavailableQueues", #"MutationQueue(path: "a", over: 2) { "" }"#,
        "SQLite"
      ),
      (
        "Sources/Calls/LocalStores/UnavailableStores", #"AccountStores(folder: "a", schema: 1)"#, "SQLite"
      ),
      ("Sources/Calls/LocalStores/UnavailableStores", #"LocalKey("a", default: 1)"#, "SQLite"),
      ("Plugins/Stores/SQLiteStores/SQLiteResponseStore", #"SQLiteResponseStore(directory: "a")"#, "SQLite"),
      ("Plugins/Stores/SQLiteStores/SQLiteNonceStore", #"SQLiteNonceStore(path: "a")"#, "SQLite"),
      ("Sources/Testing/LoopbackTesting/LoopbackServer", "await LoopbackServer.start()", "LoopbackTesting"),
    ])
  func message(file: String, expression: String, trait: String) async throws {
    let source = try String(
      contentsOf: Self.root.appending(path: "\(file).swift"), encoding: .utf8)
    let use = "func use() async throws { let value = try \(expression); _ = value }"
    let errors = try await Typechecker.errors(in: source + use).split(separator: "\n")
    #expect(!errors.isEmpty)
    for error in errors {
      #expect(
        error.contains("is unavailable: add traits: [\"\(trait)\"] to the dependency on Switchyard"),
        "\(error)")
    }
  }
}
