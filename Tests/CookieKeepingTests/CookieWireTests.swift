import CommandRunning
import CurlTransport
import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import RedirectFollowing
import Testing

@testable import CookieKeeping

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

  /// Cookies whose values are not UTF-8, or only look like it.
  static let opaque: [[UInt8]] = [
    Array("name=Jos".utf8) + [0xE9], Array("name=Jos\u{E9}".utf8),
    Array("id=".utf8) + (0x80...0xFF).map { $0 },
    [0xE9, 0x3D, 0x31], Array("id=\u{FFFD}".utf8), Array("id=e\u{301}".utf8), [0xFF],
    Array("id=a%09b".utf8) + [0xFE, 0x25],
  ]

  @Test(
    "A cookie goes back byte for byte, in its partition, also after it was saved and read", arguments: opaque)
  func bytes(cookie: [UInt8]) async throws {
    let server = try ScriptedServer(raw: { request, wire in
      let line =
        request.target == "/login"
        ? Array("Set-Cookie: ".utf8) + cookie + Array("; Max-Age=600\r\n".utf8) : []
      try wire.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n".utf8) + line + Array("\r\n".utf8))
      wire.stayOpen()
    })
    let folder = try TemporaryFolder(prefix: "cookies")
    let path = folder.url.appending(path: "cookies").path
    func send(_ path: String, in partition: String, with store: CookieStore) async throws -> [UInt8]? {
      let pipeline = try Pipeline(over: CurlDispatcher()) { CookieInterceptor(store) }
      var request = Request(scheme: "http", authority: server.authority, path: path)
      request.context.partition = partition
      _ = try await pipeline.send(request)
      return server.requests.last?.bytes(of: "Cookie")
    }
    let store = CookieStore(file: path) { Issue.record($0) }
    #expect(try await send("/login", in: "north", with: store) == nil)
    #expect(try await send("/", in: "north", with: store) == cookie)
    #expect(try await send("/login", in: "south", with: store) == nil)
    let restored = CookieStore(file: path) { Issue.record($0) }
    for partition in ["north", "south"] {
      #expect(try await send("/", in: partition, with: restored) == cookie)
    }
    #expect(try await send("/", in: "", with: restored) == nil)
  }

  @Test("Cookies whose bytes differ are different, and their requests are not shared")
  func identity() throws {
    func state(_ value: [UInt8]) -> Request.Identity? {
      let store = CookieStore()
      let request = Request(authority: "a.example", path: "/")
      store.store([FieldText(Array("id=".utf8) + value)], from: request)
      return CookieInterceptor(store).identity(for: request)
    }
    #expect(state([0xE9]) != nil && state([0xE9]) == state([0xE9]))
    #expect(state([0xE9]) != state([0xE8]))
    #expect(state([0xE9]) != state([0xC3, 0xA9]))
    #expect(state(Array("e\u{301}".utf8)) != state(Array("\u{E9}".utf8)))
  }
}
