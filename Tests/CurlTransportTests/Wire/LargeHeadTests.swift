import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

/// The largest heads that are sent, and the smallest that are not.
@Suite("A large head", .timeLimit(.minutes(5)))
struct LargeHeadTests {
  private static let name = HTTPField.Name("X-Filler")

  @Test(
    "A head of the maximum size is sent over HTTP/1.1, in a field or in the path", arguments: [false, true])
  func overHTTP1(isInPath: Bool) async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let request = try Request.filled(
      to: HeadLimit.bytes, authority: server.authority, scheme: "http", isInPath: isInPath)
    let response = try await CurlDispatcher().dispatch(request)
    #expect(response.status == .ok)
    let seen = try #require(server.requests.first)
    #expect(seen.target == request.head.path)
    #expect(try seen.value(of: "X-Filler") == request.head.headerFields[#require(Self.name)])
  }

  @Test(
    "A head of the maximum size is sent over TLS, in any version of HTTP",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"), arguments: [true, false])
  func overTLS(hasHTTP2: Bool) async throws {
    let server = try await NginxServer(hasHTTP2: hasHTTP2, tlsSettings: { _ in Self.settings })
    let request = try Request.filled(
      to: HeadLimit.bytes, authority: "127.0.0.1:\(server.tlsPort())", path: "/filler")
    let response = try await Self.dispatcher(server).dispatch(request)
    #expect(response.status == .ok)
    #expect(response.exchange.transport?.version == (hasHTTP2 ? .http2 : .http1))
    let seen = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    #expect(try seen == request.head.headerFields[#require(Self.name)])
  }

  @Test(
    "A head of many fields is sent over HTTP/2, with a body and accepted codings",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"), arguments: [900, 4_500])
  func manyFields(count: Int) async throws {
    let server = try await NginxServer(tlsSettings: { _ in Self.settings })
    var request = Request(
      method: .put, authority: "127.0.0.1:\(server.tlsPort())", path: "/store/small", body: .text("abc"))
    request.head.headerFields[.acceptEncoding] = "gzip, br, zstd, deflate"
    let name = try #require(HTTPField.Name("a"))
    // A name has one byte, and every field costs twelve besides.
    let room = (HeadLimit.bytes - 100) / count - 13
    let value = String(repeating: "b", count: room)
    for _ in 0..<count { request.head.headerFields.append(HTTPField(name: name, value: value)) }
    let rest = HeadLimit.bytes - (try HeadLimit.size(of: request)) - 13
    request.head.headerFields.append(HTTPField(name: name, value: String(repeating: "c", count: rest)))
    #expect(try HeadLimit.size(of: request) == HeadLimit.bytes)
    let response = try await Self.dispatcher(server).dispatch(request)
    #expect(response.exchange.transport?.version == .http2)
    // nginx takes 1,000 fields; its response shows that more of them have left, too.
    #expect(response.status == (count < 1_000 ? .created : .badRequest))
  }

  @Test("A larger head is an invalid request before a connection is opened", arguments: [1, 1 << 20])
  func beyond(excess: Int) async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let request = try Request.filled(
      to: HeadLimit.bytes + excess, authority: server.authority, scheme: "http")
    let error = try #require(
      await failure { () throws(NetworkError) in try await CurlDispatcher().dispatch(request) })
    #expect(error.kind == .invalidRequest)
    #expect(error.reason.contains("X-Filler") && error.reason.contains("\(HeadLimit.bytes)"))
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(server.counts.accepted == 0)
  }

  private static func dispatcher(_ server: NginxServer) -> CurlDispatcher {
    CurlDispatcher(configuration: .init(tls: .init(authorityFile: server.certificates.authorityFile)))
  }

  private static let settings =
    """
    large_client_header_buffers 8 128k;
    location = /filler { return 200 "$http_x_filler"; }
    """
}
