import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting

extension ConformanceCase {
  private static func echoes(
    _ bench: ConformanceBench, _ sample: [UInt8], _ body: @Sendable () throws -> RequestBody
  ) async throws {
    try await bench.origin { place in
      let response = try await bench.send(place.request("/echo", method: .post, body: try body()))
      try bench.expect(response.head.value("x-length"), is: "\(sample.count)", "the length that arrived")
      try bench.expect(try await bench.read(response.body), is: sample, "the content")
    }
  }

  private static let sample = LoopbackContent.pattern(100_000).slice(0..<100_000)

  private static func chunks() -> ScriptedByteSource {
    ScriptedByteSource(
      stride(from: 0, to: sample.count, by: 9_999).map { Array(sample[$0...].prefix(9_999)) })
  }

  /// Bytes arrive whole.
  public static let bytesBody = ConformanceCase("bytesBody", "a body of bytes arrives whole") { bench in
    try await echoes(bench, sample) { .bytes(sample) }
    try await echoes(bench, [0, 255, 13, 10, 0]) { .bytes([0, 255, 13, 10, 0]) }
  }

  /// A file, and a part of a file, arrive whole.
  public static let fileBody = ConformanceCase("fileBody", "a file, and a part of it, arrive whole") {
    bench in
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(sample).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try await echoes(bench, sample) { try .file(file.path) }
    try await echoes(bench, Array(sample[10..<70_000])) { try .file(file.path, range: 10..<70_000) }
  }

  /// Content that is produced anew arrives whole, of known and of unknown length.
  public static let restartableBody = ConformanceCase(
    "restartableBody", "a restartable body arrives whole, of known and of unknown length"
  ) { bench in
    for length in [Int64(sample.count), nil] {
      try await echoes(bench, sample) {
        .restartable(length: length) { () throws(NetworkError) in chunks() }
      }
    }
  }

  /// Content that can be read once arrives whole, of known and of unknown length.
  public static let onceBody = ConformanceCase(
    "onceBody", "a body that can be read once arrives whole, of known and of unknown length"
  ) { bench in
    for length in [Int64(sample.count), nil] {
      try await echoes(bench, sample) { .once(length: length, chunks()) }
    }
  }

  /// A body that can be read once is refused at its second sending.
  public static let onceTwice = ConformanceCase(
    "onceTwice", "a body that can be read once is refused at its second sending, before a byte is sent"
  ) { bench in
    try await bench.origin { place in
      let request = place.request("/echo", method: .post, body: .once(length: nil, chunks()))
      _ = try await bench.content(request)
      try await bench.failure(request, .bodyNotReplayable, processed: false)
    }
  }

  /// A body that fails ends the request with its own error.
  public static let failingBody = ConformanceCase(
    "failingBody", "a body that fails ends the request with its own error"
  ) { bench in
    try await bench.origin { place in
      let failing = ScriptedByteSource(
        [[1, 2, 3]], endingWith: NetworkError(.bodyTooLarge(limit: 3), "The disk is broken."))
      let request = place.request("/echo", method: .post, body: .once(length: 10, failing))
      let error = try await bench.failure(request)
      try bench.expect(error.kind, is: .bodyTooLarge(limit: 3), "the kind")
    }
  }

  /// A large body passes without being held in memory by the case.
  public static let largeUpload = ConformanceCase(
    "largeUpload", "16 MiB go up from a source, and arrive whole", needs: .wire
  ) { bench in
    let length: Int64 = 16 << 20
    try await bench.server { server in
      let request = server.place.request(
        "/status/200", method: .put,
        body: .restartable(length: length) { () throws(NetworkError) in PatternSource(length: length) })
      try bench.expect(try await bench.send(request).status.code, is: 200, "the status")
      let received = try await server.takeRequest()
      try bench.expect(Int64(received.body.count), is: length, "the length that arrived")
      let isWhole = received.body.indices.allSatisfy {
        received.body[$0] == LoopbackContent.patternByte(at: Int64($0))
      }
      try bench.expect(isWhole, "the content arrived changed")
    }
  }

  static let requestBodies = [
    bytesBody, fileBody, restartableBody, onceBody, onceTwice, failingBody, largeUpload,
  ]
}
