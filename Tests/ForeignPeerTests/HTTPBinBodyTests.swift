import LoopbackServing
import Testing

@Suite(
  "Bodies of httpbin", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: HTTPBinServer.runsSuites, "httpbin and requests are not installed"))
struct HTTPBinBodyTests {
  @Test("Coded responses are decoded as by requests")
  func codedResponses() async throws {
    let results = try await Peers.results(of: ["/gzip", "/deflate", "/brotli"])
    #expect(results.map(\.status) == [200, 200, 200])
    for (result, coding) in zip(results, ["gzipped", "deflated", "brotli"]) {
      #expect(result.json.contains("\"\(coding)\":true"))
    }
  }

  // httpbin stores a body as it receives it, whatever its coding.
  @Test("By default a large body isn't compressed for a server that hasn't announced a coding")
  func unaskedCompression() async throws {
    let text = String(repeating: "A house in the old town. ", count: 200)
    let call = PeerCall(
      method: "POST", path: "/post", fields: ["Content-Type": "text/plain; charset=utf-8"], body: text)
    let results = try await Peers.results(of: [call, call])
    #expect(results.map(\.status) == [200, 200])
    #expect(results.allSatisfy { $0.json.contains("\"data\":\"\(text)\"") })
  }

  @Test("Bodies arrive as those of requests", arguments: ["POST", "PUT", "PATCH", "DELETE"])
  func bodies(method: String) async throws {
    let path = "/\(method.lowercased())"
    let results = try await Peers.results(of: [
      PeerCall(
        method: method, path: path, fields: ["Content-Type": "application/x-www-form-urlencoded"],
        body: "a=1&b=two+words&a=%C3%A4"),
      PeerCall(
        method: method, path: path + "?x=y", fields: ["Content-Type": "application/json"],
        body: #"{"town":"Köln"}"#),
    ])
    #expect(results.map(\.status) == [200, 200])
    #expect(results[0].json.contains("\"b\":\"two words\"") && results[1].json.contains("Köln"))
  }
}
