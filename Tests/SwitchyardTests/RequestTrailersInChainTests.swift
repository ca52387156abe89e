import HTTPTypes
import LoopbackServing
import Switchyard
import SwitchyardTesting
import Synchronization
import Testing

/// Trailer fields beside what sends a request again, elsewhere, or with other content.
@Suite(.timeLimit(.minutes(5)))
struct RequestTrailersInChainTests {
  /// A checksum of content that is produced while it is sent.
  private final class Checksum: Sendable {
    let sums = Mutex<[Int]>([])

    func body(_ chunks: [[UInt8]]) -> RequestBody {
      .restartable(length: Int64(chunks.joined().count)) { () throws(NetworkError) in
        self.sums.withLock { $0.append(0) }
        return ScriptedByteSource(chunks)
      }
    }

    func form(_ name: HTTPField.Name, _ chunks: [[UInt8]]) -> RequestTrailers {
      RequestTrailers([name]) { [name: "\(chunks.joined().count), \(self.sums.withLock(\.count))"] }
    }
  }

  private struct Exchanged: Sendable, Equatable {
    let method: String
    let target: String
    let coding: String?
    let trailers: [String]
  }

  private static let chunks = Array(repeating: Array("a house with a garden. ".utf8), count: 200)

  @Test(
    "Each attempt and each hop that keeps the content sends them, compressed too; a hop without it sends none",
    arguments: [307, 303])
  func combination(status: Int) async throws {
    let exchanged = Watched<[Exchanged]>([])
    let server = try ScriptedServer(raw: { request, wire in
      let trailers = try wire.readBody(of: request) { _ in }
      let number = exchanged.update {
        $0.append(
          Exchanged(
            method: request.method, target: request.target, coding: request.value(of: "Content-Encoding"),
            trailers: trailers))
        return $0.count
      }
      let reply =
        switch number {
        case 1: "503 Service Unavailable"
        case 2: "\(status) Moved\r\nLocation: /moved"
        default: "200 OK"
        }
      try wire.send("HTTP/1.1 \(reply)\r\nContent-Length: 0\r\n\r\n")
      wire.stayOpen()
    })
    let clock = TestClock()
    let pipeline = try Pipeline(over: CurlDispatcher()) {
      RedirectInterceptor()
      RetryInterceptor(time: TimeSource(clock))
      CompressionInterceptor(requests: .unlessRefused(.gzip))
    }
    let name = try #require(HTTPField.Name("X-Checksum"))
    let checksum = Checksum()
    var request = Request(
      method: .put, scheme: "http", authority: server.authority, path: "/plan",
      headerFields: [.contentType: "text/plain"], body: checksum.body(Self.chunks))
    request.trailers = checksum.form(name, Self.chunks)
    let task = Task { [request] in try await pipeline.send(request) }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    #expect(try await task.value.status == .ok)
    let length = Self.chunks.joined().count
    func sent(_ number: Int, _ target: String) -> Exchanged {
      Exchanged(method: "PUT", target: target, coding: "gzip", trailers: ["X-Checksum: \(length), \(number)"])
    }
    let last =
      status == 307
      ? sent(3, "/moved") : Exchanged(method: "GET", target: "/moved", coding: nil, trailers: [])
    #expect(exchanged.value == [sent(1, "/plan"), sent(2, "/plan"), last])
  }

  @Test("Requests with them are not shared, and their responses not stored")
  func neitherSharedNorStored() async throws {
    let pipeline = try Pipeline(
      over: ScriptedDispatcher { _, number throws(NetworkError) in
        Response(status: .ok, headerFields: [.cacheControl: "max-age=60"], bytes: Array("\(number)".utf8))
      }
    ) {
      SharingInterceptor()
      CachingInterceptor(defaultRule: .stated())
    }
    let query = try #require(HTTPRequest.Method("QUERY"))
    var request = Request(
      method: query, authority: "estate.example", path: "/", headerFields: [.contentType: "text/plain"],
      body: .text("garden"))
    func text() async throws -> String {
      String(decoding: try await pipeline.send(request).body.collect(upTo: 9), as: UTF8.self)
    }
    #expect(try await [text(), text()] == ["1", "1"])
    request.trailers = RequestTrailers([.eTag]) { [:] }
    #expect(try await [text(), text()] == ["2", "3"])
  }
}
