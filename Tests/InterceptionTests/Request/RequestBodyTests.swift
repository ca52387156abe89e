import Foundation
import Interception
import SwitchyardTesting
import Testing

@Suite("A request's body")
struct RequestBodyTests {
  @Test("A body in memory can be read repeatedly")
  func bytes() async throws {
    let body = RequestBody.bytes([1, 2, 3])
    #expect(body.replay == .any && body.length == 3 && body.bytes == [1, 2, 3])
    for _ in 0..<2 { #expect(try await body.collect(upTo: 3) == [1, 2, 3]) }
  }

  @Test("A single-use body refuses a second reader")
  func once() async throws {
    let body = RequestBody.once(length: 1, ScriptedByteSource([[1]]))
    #expect(body.replay == .once)
    #expect(try await body.collect(upTo: 1) == [1])
    let error = await #expect(throws: NetworkError.self) { try await body.open() }
    #expect(error?.kind == .bodyNotReplayable)
  }

  @Test("A body produced anew can be read repeatedly")
  func restartable() async throws {
    let body = RequestBody.restartable(length: nil) { () throws(NetworkError) in
      ScriptedByteSource([[7], [8]])
    }
    for _ in 0..<2 { #expect(try await body.collect(upTo: 2) == [7, 8]) }
  }

  @Test("A body longer than the limit is refused, and its source cancelled")
  func limit() async throws {
    let source = ScriptedByteSource([[1, 2], [3, 4]])
    let error = await #expect(throws: NetworkError.self) {
      try await RequestBody.once(length: nil, source).collect(upTo: 3)
    }
    #expect(error?.kind == .bodyTooLarge(limit: 3))
    #expect(source.isCancelled)
  }

  @Test("A body is read in chunks, and its source cancelled if their reader fails")
  func chunks() async throws {
    var seen: [[UInt8]] = []
    try await RequestBody.once(length: nil, ScriptedByteSource([[1, 2], [3]])).read { seen.append($0) }
    #expect(seen == [[1, 2], [3]])
    let source = ScriptedByteSource([[1, 2], [3]])
    await #expect(throws: CancellationError.self) {
      try await RequestBody.once(length: nil, source).read { _ in throw CancellationError() }
    }
    #expect(source.isCancelled && source.reads == 1)
  }

  @Test("A file is read in chunks, completely or in part")
  func file() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).bin").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    try Data(content).write(to: URL(filePath: path))
    let whole = try RequestBody.file(path)
    #expect(whole.length == 200_000)
    let source = try await whole.open()
    #expect(try await source.read()?.count == 64 << 10)
    #expect(try await whole.collect(upTo: 200_000) == content)
    #expect(try await RequestBody.file(path, range: 5..<9).collect(upTo: 9) == Array(content[5..<9]))
    #expect(throws: NetworkError.self) { try RequestBody.file(path, range: 0..<200_001) }
  }

  @Test("A file that became shorter fails instead of sending fewer bytes")
  func shrunkFile() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).bin").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data([1, 2, 3]).write(to: URL(filePath: path))
    let body = try RequestBody.file(path)
    try Data([1]).write(to: URL(filePath: path))
    let error = await #expect(throws: NetworkError.self) { try await body.collect(upTo: 3) }
    #expect(error?.reason.contains("became shorter") == true)
  }

  @Test("A path with a null byte is refused, although a file exists with the name before it")
  func zeroByte() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).bin").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data([1]).write(to: URL(filePath: path))
    let error = #expect(throws: NetworkError.self) { try RequestBody.file(path + "\0.png") }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains("null byte") == true)
  }

  @Test("A path that is not a file's is refused by name", arguments: ["/nowhere/at/all", "/tmp"])
  func missingFile(path: String) {
    let error = #expect(throws: NetworkError.self) { try RequestBody.file(path) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains(path) == true)
  }
}
