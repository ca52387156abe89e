import CommandRunning
import CookieKeeping
import CurlTransport
import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import RedirectFollowing
import Testing

/// Cookies over libcurl, against a server on the loopback interface.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CookieWireTests {
  @Test("H4: Cookies that a server sets are sent back by RFC 6265bis, per partition, and survive in a file")
  func keeping() async throws {
    let server = try ScriptedServer { request in
      guard request.target == "/login" else { return .text(request.value(of: "Cookie") ?? "none") }
      return ScriptedReply(
        status: 303,
        fields: [
          ("Location", "/account/"), ("Set-Cookie", "id=7; Path=/; Max-Age=600; HttpOnly"),
          ("Set-Cookie", "view=list; Path=/account"), ("Set-Cookie", "__Host-s=1; Secure; Path=/"),
          ("Set-Cookie", "elsewhere=1; Domain=other.example"), ("Set-Cookie", "gone=1; Max-Age=0"),
        ])
    }
    let folder = try TemporaryFolder(prefix: "cookies")
    let path = folder.url.appending(path: "cookies").path
    func send(_ path: String, in partition: String, with store: CookieStore) async throws -> String {
      let pipeline = try Pipeline(over: CurlDispatcher()) {
        RedirectInterceptor()
        CookieInterceptor(store)
      }
      var request = Request(scheme: "http", authority: server.authority, path: path)
      request.context.partition = partition
      let response = try await pipeline.send(request)
      return String(decoding: try await response.body.collect(upTo: 999), as: UTF8.self)
    }
    func makeStore() -> CookieStore {
      CookieStore(file: path) { fault in Issue.record(fault) }
    }
    let store = makeStore()
    let first = try await send("/login", in: "north", with: store)
    // A server on this machine may set a Secure cookie over http, as in browsers.
    #expect(first == "view=list; id=7; __Host-s=1")
    #expect(try await send("/", in: "north", with: store) == "id=7; __Host-s=1")
    #expect(try await send("/account/", in: "south", with: store) == "none")
    // The session cookie doesn't survive, and what is removed doesn't either.
    #expect(try await send("/account/", in: "north", with: makeStore()) == "id=7")
    makeStore().removeAll(in: "north")
    #expect(try await send("/account/", in: "north", with: makeStore()) == "none")
  }
}
