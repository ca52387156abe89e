import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

/// Invalid requests, which are refused before anything is sent, or sent without harm.
@Suite(.timeLimit(.minutes(5)))
struct HostileRequestTests {
  let dispatcher = CurlDispatcher()

  @Test(
    "A line break or zero byte in a field's value adds no field and ends no line",
    arguments: ["\r\nEvil: 1", "\nEvil: 1", "\rEvil: 1", "\0Evil: 1"])
  func lineBreaks(tail: String) async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    var request = Request.get(server)
    let name = try #require(HTTPField.Name("X-Name"))
    request.head.headerFields.append(HTTPField(name: name, value: "a\(tail)"))
    request.head.headerFields.append(HTTPField(name: name, lenientValue: Array("b\(tail)".utf8)))
    _ = try await dispatcher.dispatch(request)
    let seen = try #require(server.requests.first)
    #expect(seen.value(of: "Evil") == nil)
    #expect(seen.fields.count { $0.name == "X-Name" } == 2)
    #expect(seen.fields.allSatisfy { !$0.value.contains { "\r\n\0".contains($0) } })
  }

  @Test("Invalid field names cannot be created", arguments: ["A\r\nEvil", "A\0", "A B", "A:B", "", "Ä"])
  func fieldNames(name: String) {
    #expect(HTTPField.Name(name) == nil)
  }

  @Test(
    "An invalid URL is refused before anything is sent",
    arguments: [
      ("http", "127.0.0.1\r\nEvil: 1", "/"), ("http", "127.0.0.1 evil", "/"),
      ("http", "user:word@127.0.0.1", "/"),
      ("http", "", "/"), ("http", ":80", "/"), ("http", "127.0.0.1:0", "/"), ("http", "127.0.0.1:65536", "/"),
      ("http", "127.0.0.1:http", "/"), ("http", "[::1", "/"), ("http", "[::1]evil", "/"),
      ("http", "[not-an-address]", "/"), ("http", "bücher.example", "/"), ("http", "a/b", "/"),
      ("http", "a?b", "/"), ("http", "a#b", "/"), ("http", "a\\b", "/"),
      ("ht tp", "127.0.0.1", "/"), ("file", "127.0.0.1", "/etc/passwd"), ("", "127.0.0.1", "/"),
      ("http", "127.0.0.1", "/ HTTP/1.1\r\nEvil: 1\r\n\r\n"), ("http", "127.0.0.1", "/a b"),
      ("http", "127.0.0.1", "/a\0b"), ("http", "127.0.0.1", "/ä"), ("http", "127.0.0.1", "/#fragment"),
      ("http", "127.0.0.1", "relative"), ("http", "127.0.0.1", "http://other/"),
    ])
  func invalidURLs(url: (String, String, String)) async throws {
    let (scheme, authority, path) = url
    let request = Request(scheme: scheme, authority: authority, path: path)
    let error = try #require(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) })
    #expect(error.kind == .invalidRequest, "\(error)")
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(!error.reason.contains("word"))
    #expect(!error.reason.utf8.contains { $0 < 0x20 })
  }

  @Test(
    "Fields that would change the framing are refused",
    arguments: [
      ("Transfer-Encoding", "chunked"), ("Content-Length", "5"), ("Connection", "close"), ("Upgrade", "h2c"),
      ("Expect", "100-continue"), ("Host", "other.example"),
    ])
  func framingFields(field: (String, String)) async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    var request = Request(
      method: .post, scheme: "http", authority: server.authority, path: "/", body: .text("hello, server"))
    request.head.headerFields[try #require(HTTPField.Name(field.0))] = field.1
    let error = await failure { [request] () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains(field.0) == true)
    #expect(server.counts.accepted == 0)
  }
}
