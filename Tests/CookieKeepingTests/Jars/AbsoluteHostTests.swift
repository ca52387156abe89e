import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import CookieKeeping

/// Hosts with a dot at the end, which are other hosts to cookies, as in browsers.
@Suite("Cookies of hosts with a dot at the end")
struct AbsoluteHostTests {
  private func pipeline(_ store: CookieStore, setting line: String) throws -> (Pipeline, ScriptedDispatcher) {
    let server = ScriptedDispatcher { _, _ throws(NetworkError) in
      Response(HTTPResponse(status: .ok, headerFields: [.setCookie: line]), body: .bytes([]))
    }
    return (try Pipeline(over: server) { CookieInterceptor(store) }, server)
  }

  @Test(
    "A cookie is sent only to the form of the host that set it",
    arguments: [("a.example", "a.example."), ("a.example.", "a.example")], ["", "; Domain=a.example"])
  func distinct(hosts: (own: String, other: String), attribute: String) async throws {
    let store = CookieStore(publicSuffixes: .singleLabels)
    let (pipeline, server) = try pipeline(store, setting: "id=1; Path=/\(attribute)")
    for host in [hosts.own, hosts.own, hosts.other] {
      _ = try await pipeline.send(Request(authority: host, path: "/"))
    }
    let sent = server.requests.map { $0.head.headerFields[.cookie] }
    #expect(sent[0] == nil && sent[2] == nil)
    // A dot makes the host one that is in no domain without the dot.
    let isRefused = hosts.own.hasSuffix(".") && !attribute.isEmpty
    #expect(sent[1] == (isRefused ? nil : "id=1"))
  }

  @Test(
    "A host with a dot sets no cookie for a public suffix with a dot", arguments: ["com.", ".com.", "COM."])
  func suffix(domain: String) async throws {
    let store = CookieStore(publicSuffixes: .singleLabels)
    let (pipeline, server) = try pipeline(store, setting: "id=1; Domain=\(domain)")
    for host in ["evil.com.", "shop.com."] {
      _ = try await pipeline.send(Request(authority: host, path: "/"))
    }
    #expect(server.requests.allSatisfy { $0.head.headerFields[.cookie] == nil })
  }
}
