import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import BodyCompression

@Suite struct CompressionPlanTests {
  private func plan(
    _ body: RequestBody, fields: HTTPFields = [:], threshold: Int = 1024
  ) -> CompressionPlan {
    let request = Request(
      method: .post, authority: "a.test", path: "/x", headerFields: fields, body: body)
    return CompressionPlan(for: request, threshold: threshold)
  }

  private func bytes(_ count: Int) -> RequestBody { .bytes(Array(repeating: 7, count: count)) }

  @Test(
    "Bodies from the threshold on are compressed if that saves a tenth",
    arguments: [
      (0, 1024, nil), (1023, 1024, nil), (1024, 1024, 921), (1030, 1024, 927), (0, 0, nil), (1, 0, 0),
      (100, 100, 90), (101, 100, 90), (109, 100, 98), (110, 100, 99),
    ] as [(Int, Int, Int?)])
  func thresholds(count: Int, threshold: Int, limit: Int?) {
    #expect(plan(bytes(count), threshold: threshold) == (limit.map { .whole(atMost: $0) } ?? .identity))
  }

  @Test("A stream is compressed if its length is known and it can be sent again")
  func streams() {
    let restartable: @Sendable () async throws(NetworkError) -> any ByteSource = { () throws(NetworkError) in
      ScriptedByteSource([])
    }
    #expect(plan(.restartable(length: 1024, restartable)) == .chunkwise)
    #expect(plan(.restartable(length: 1023, restartable)) == .identity)
    #expect(plan(.restartable(length: nil, restartable)) == .identity)
    #expect(plan(.once(length: 5000, ScriptedByteSource([]))) == .identity)
  }

  @Test(
    "A request that may not be sent again is still compressed, because only its body matters",
    arguments: [
      { $0.context.isSentOnce = true }, { $0.context.isIdempotent = false }, { $0.head.method = .patch },
    ] as [@Sendable (inout Request) -> Void])
  func unrepeatable(change: @Sendable (inout Request) -> Void) {
    var request = Request(method: .put, authority: "a.test", path: "/x", body: bytes(5000))
    change(&request)
    #expect(CompressionPlan(for: request, threshold: 1024) == .whole(atMost: 4500))
  }

  @Test(
    "A body whose fields describe its exact bytes is sent unchanged",
    arguments: [
      ("Content-Encoding", "br"), ("content-encoding", "identity"), ("Content-Digest", "sha-256=:x:"),
      ("Repr-Digest", "sha-256=:x:"), ("Digest", "sha-256=x"), ("Content-MD5", "x"),
      ("Content-Range", "bytes 0-1/2"), ("Content-Type", "image/png"), ("Content-Type", "application/zip"),
    ])
  func obstacles(name: String, value: String) throws {
    let name = try #require(HTTPField.Name(name))
    #expect(plan(bytes(5000), fields: [name: value]) == .identity)
    #expect(plan(bytes(5000), fields: [.contentType: "application/json"]) != .identity)
  }

  @Test(
    "A body with a digest of its exact bytes among its trailers is sent unchanged",
    arguments: [("Content-Digest", true), ("digest", true), ("X-Checksum", false)])
  func trailers(name: String, isUnchanged: Bool) throws {
    var request = Request(method: .post, authority: "a.example", path: "/", body: bytes(5000))
    request.trailers = RequestTrailers([try #require(HTTPField.Name(name))]) { [:] }
    #expect((CompressionPlan(for: request, threshold: 1024) == .identity) == isUnchanged)
  }
}
