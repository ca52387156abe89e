#if SQLite
import DurableQueues
import Foundation
import Interception
import Testing

@Suite struct QueueFileTests {
  @Test("A path with a null byte is refused, and no file or lock is created with the name before it")
  func nullByte() {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).queue").path
    let format = QueueFile.Format(applicationID: 1, schema: "CREATE TABLE x (id INTEGER)")
    let error = #expect(throws: QueueFileError.self) {
      try QueueFile.open(
        path + "\0.sqlite", format: format, synchronizesCommits: false,
        now: WallTime(secondsSince1970: 1), load: { _ in })
    }
    #expect(error?.kind == .unusable)
    #expect(error?.description == "The path of the queue file contains a null byte; remove it.")
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: path + ".lock"))
    #expect(FileIdentity(path: path + "\0") == nil)
  }
}
#endif
