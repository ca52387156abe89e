import LoopbackServing
import Testing

@Suite(
  "Redirects of httpbin", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: HTTPBinServer.runsSuites, "httpbin and requests are not installed"))
struct HTTPBinRedirectTests {
  @Test("Relative and absolute redirects are followed as by requests, up to the limit")
  func hops() async throws {
    let results = try await Peers.results(of: [
      "/redirect/1", "/redirect/5", "/redirect/5?absolute=true", "/relative-redirect/5",
      "/absolute-redirect/5", "/redirect/30", "/redirect/31", "/redirect-to?url=..%2Fget%3Fq%3D%2520x",
    ])
    #expect(results.map(\.redirects.count) == [1, 5, 5, 5, 5, 30, 0, 1])
    #expect(results.map(\.status) == [200, 200, 200, 200, 200, 200, nil, 200])
    #expect(results[6].failure == "tooMany")
    #expect(results[7].target == "/get?q=%20x")
  }

  @Test("Method and body after a redirect are those of requests", arguments: [301, 302, 303, 307, 308])
  func methods(status: Int) async throws {
    let isKept = status >= 307
    let target = "/\(isKept ? "post" : "get")"
    let results = try await Peers.results(of: [
      PeerCall(
        method: "POST", path: "/redirect-to?status_code=\(status)&url=\(target)",
        fields: ["Content-Type": "text/plain"], body: "content")
    ])
    #expect(results.map(\.status) == [200] && results.map(\.redirects) == [[status]])
    #expect(results.map(\.target) == [target])
    #expect(results[0].json.contains("content") == isKept)
  }

  // `requests` sends a GET after any method but HEAD.
  @Test("A 302 after PUT keeps the method and the body (RFC 9110, section 15.4.3)")
  func put() async throws {
    let results = try await Peers.ownResults(of: [
      PeerCall(method: "PUT", path: "/redirect-to?url=/put", body: "content")
    ])
    #expect(results.map(\.status) == [200])
    #expect(results[0].json.contains("\"data\":\"content\""))
  }

  @Test("Credentials are not sent to another host")
  func credentials() async throws {
    let server = try await HTTPBinServer()
    let calls = ["127.0.0.1", "localhost"].map { host in
      PeerCall(
        path: "/redirect-to?url=http%3A%2F%2F\(host)%3A\(server.port)%2Fheaders",
        fields: ["Authorization": "Bearer 123"])
    }
    let ours = try await SwitchyardClient(at: server.authority, redirectLimit: 1).results(of: calls)
    let theirs = try await RequestsClient.results(of: calls, at: server.authority, redirectLimit: 1)
    #expect(ours.map(\.json) == [#"{"headers":{"Authorization":"Bearer 123"}}"#, #"{"headers":{}}"#])
    #expect(ours.map(\.json) == theirs.map(\.json))
  }
}
