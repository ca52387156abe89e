#if LoopbackTesting
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting

extension ConformanceCase {
  private static func echoes(
    _ context: ConformanceContext, _ sample: [UInt8], _ body: @Sendable () throws -> RequestBody
  ) async throws {
    try await context.origin { place in
      let response = try await context.send(place.request("/echo", method: .post, body: try body()))
      try context.expect(response.head.value("x-length"), is: "\(sample.count)", "the received length")
      try context.expect(try await context.read(response.body), is: sample, "the content")
    }
  }

  private static let sample = LoopbackContent.pattern(100_000).slice(0..<100_000)

  private static func chunks() -> ScriptedByteSource {
    ScriptedByteSource(
      stride(from: 0, to: sample.count, by: 9_999).map { Array(sample[$0...].prefix(9_999)) })
  }

  /// Bytes are sent completely.
  static let bytesBody = ConformanceCase("bytesBody", "a body of bytes is sent completely") {
    context in
    try await echoes(context, sample) { .bytes(sample) }
    try await echoes(context, [0, 255, 13, 10, 0]) { .bytes([0, 255, 13, 10, 0]) }
  }

  /// A file and a range of a file are sent completely.
  static let fileBody = ConformanceCase("fileBody", "a file and a range of it are sent completely") {
    context in
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(sample).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try await echoes(context, sample) { try .file(file.path) }
    try await echoes(context, Array(sample[10..<70_000])) { try .file(file.path, range: 10..<70_000) }
  }

  /// A restartable body is sent completely, with a known or an unknown length.
  static let restartableBody = ConformanceCase(
    "restartableBody", "a restartable body is sent completely, with a known or an unknown length"
  ) { context in
    for length in [Int64(sample.count), nil] {
      try await echoes(context, sample) {
        .restartable(length: length) { () throws(NetworkError) in chunks() }
      }
    }
  }

  /// A body that can be read once is sent completely, with a known or an unknown length.
  static let onceBody = ConformanceCase(
    "onceBody", "a body that can be read once is sent completely, with a known or an unknown length"
  ) { context in
    for length in [Int64(sample.count), nil] {
      try await echoes(context, sample) { .once(length: length, chunks()) }
    }
  }

  /// A body that can be read once is refused when it is sent again.
  static let onceTwice = ConformanceCase(
    "onceTwice", "a body that can be read once is refused when it is sent again, before any byte is sent"
  ) { context in
    try await context.origin { place in
      let request = place.request("/echo", method: .post, body: .once(length: nil, chunks()))
      _ = try await context.content(request)
      try await context.failure(request, .bodyNotReplayable, processed: false)
    }
  }

  /// A failing body fails the request with the body's error.
  static let failingBody = ConformanceCase(
    "failingBody", "a failing body fails the request with the body's error"
  ) { context in
    try await context.origin { place in
      let failing = ScriptedByteSource(
        [[1, 2, 3]], endingWith: NetworkError(.bodyTooLarge(limit: 3), "The disk is broken."))
      let request = place.request("/echo", method: .post, body: .once(length: 10, failing))
      let error = try await context.failure(request)
      try context.expect(error.kind, is: .bodyTooLarge(limit: 3), "the kind")
    }
  }

  /// Trailer fields follow the content, or the request is refused.
  static let requestTrailers = ConformanceCase(
    "requestTrailers", "trailer fields follow the content, or the request is refused before a byte is sent"
  ) { context in
    let fields = HTTPFields([("x-checksum", "42")])
    try await context.origin { place in
      for body in [RequestBody.bytes(sample), .once(length: nil, chunks())] {
        var request = place.request("/echo", method: .put, body: body)
        request.trailers = RequestTrailers(fields.map(\.name)) { fields }
        let outcome: Result<Response, NetworkError>
        do throws(NetworkError) {
          outcome = .success(try await context.dispatcher.dispatch(request))
        } catch {
          outcome = .failure(error)
        }
        switch outcome {
        case .success(let response):
          try context.expect(response.head.value("x-length"), is: "\(sample.count)", "the received length")
          try context.expect(response.head.value("x-trailers"), is: "x-checksum: 42", "the trailer fields")
        case .failure(let error): try context.expect(error, [.unsupported], processed: false)
        }
      }
    }
  }

  /// A large body is sent from a source, without being held in memory.
  static let largeUpload = ConformanceCase(
    "largeUpload", "16 MiB are sent completely from a source", needs: .wire
  ) { context in
    let length: Int64 = 16 << 20
    try await context.server { server in
      let request = server.place.request(
        "/status/200", method: .put,
        body: .restartable(length: length) { () throws(NetworkError) in PatternSource(length: length) })
      try context.expect(try await context.send(request).status.code, is: 200, "the status")
      let received = try await server.takeRequest()
      try context.expect(Int64(received.body.count), is: length, "the received length")
      let expected = LoopbackContent.pattern(length).slice(0..<length)
      try context.expect(received.body == expected, "the content differs")
    }
  }

  static let requestBodies = [
    bytesBody, fileBody, restartableBody, onceBody, onceTwice, failingBody, requestTrailers, largeUpload,
  ]
}
#endif
