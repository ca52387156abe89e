#if SQLite
import DurableQueues
import GRDB
import RequestLogging

extension Inspector {
  /// Returns the calls of a file that ``keepCalls(in:byteLimit:)`` has written, oldest first.
  ///
  /// ```swift
  /// for call in try Inspector.calls(keptIn: "state/inspector-calls.sqlite") {
  ///   try Data(call.archive).write(to: URL(filePath: "\(call.number).har"))
  /// }
  /// ```
  ///
  /// Use it in a tool that reads what an app has kept, after the app has ended. The file is not changed. A
  /// call whose bytes are damaged is left out, and so is one that was neither sent nor answered.
  ///
  /// - Throws: ``InspectorError``: the file can't be read, isn't one of an inspector, is that of a newer
  ///   version, or is open in an app. This blocks the calling thread.
  public static func calls(keptIn path: String) throws(InspectorError) -> [ArchivedCall] {
    do {
      var configuration = Configuration()
      configuration.readonly = true
      let connection = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? connection.close() }
      return try connection.read { database in
        let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard owner == CallFile.format.applicationID, version <= CallFile.format.version else {
          throw QueueFileError(.foreign, path: path)
        }
        return try CallFile.archivedCalls(in: database)
      }
    } catch {
      throw InspectorError(QueueFileError(error, path: path), path: path)
    }
  }
}
#else
// What the compiler says without the trait, instead of "has no member".
extension Inspector {
  /// Needs the trait SQLite.
  @available(
    *, unavailable, message: "add traits: [\"SQLite\"] to the dependency on Switchyard in Package.swift"
  )
  public static func calls(keptIn path: String) throws(InspectorError) -> [ArchivedCall] { [] }
}
#endif
