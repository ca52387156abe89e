import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

/// Content in a coding, which an interceptor may decode and the dispatcher does not.
@Suite(.timeLimit(.minutes(5)))
struct CodedContentTests {
  private let dispatcher = CurlDispatcher()

  private func server(_ coding: String, _ body: [UInt8]) throws -> ScriptedServer {
    try ScriptedServer { _ in
      ScriptedReply(fields: [("Content-Encoding", coding), ("ETag", "\"x\"")], body: body)
    }
  }

  @Test(
    "Content is delivered as it was sent, with its fields, whatever was asked for and however it is coded",
    arguments: ["gzip", "br, gzip", "snappy", "identity", ""], [nil, "gzip", "identity"] as [String?])
  func asSent(coding: String, asked: String?) async throws {
    // The bytes are of no coding at all.
    let body = Array("no coding at all".utf8)
    let server = try server(coding, body)
    for isStreamed in [false, true] {
      let response = try await dispatcher.dispatch(
        Request.get(server).with {
          $0.head.headerFields[.acceptEncoding] = asked
          if isStreamed { $0.options.delivery = .streamed }
        })
      #expect(try await response.body.collect(upTo: 100) == body)
      #expect(response.head.headerFields[.contentEncoding] == coding)
      #expect(response.head.headerFields[.contentLength] == "\(body.count)")
      let report = try #require(response.exchange.transport)
      #expect(report.contentCoding?.name == (["identity", ""].contains(coding) ? nil : coding))
      #expect(report.bytes.received == Int64(body.count) && report.bytes.decoded == Int64(body.count))
    }
    #expect(server.requests.allSatisfy { $0.value(of: "Accept-Encoding") == asked ?? "identity" })
  }

  @Test("A response to HEAD keeps the fields of the coded body, and reports no coding")
  func headRequest() async throws {
    let server = try server("gzip", [1, 2, 3])
    let request = Request(method: .head, scheme: "http", authority: server.authority, path: "/")
    let response = try await dispatcher.dispatch(request)
    #expect(response.head.headerFields[.contentEncoding] == "gzip")
    #expect(response.head.headerFields[.contentLength] == "3")
    #expect(response.exchange.transport?.contentCoding == nil)
  }

  @Test("A limit counts the bytes that were sent")
  func limits() async throws {
    let bomb = try await GzipCommand.zeros(1 << 20)
    let server = try server("gzip", bomb)
    let request = Request.get(server).with { $0.options.delivery = .buffered(upTo: bomb.count) }
    #expect(try await dispatcher.dispatch(request).body.collect(upTo: bomb.count) == bomb)
    let error = await failure { () throws(NetworkError) in
      try await dispatcher.dispatch(request.with { $0.options.delivery = .buffered(upTo: bomb.count - 1) })
    }
    #expect(error?.kind == .bodyTooLarge(limit: Int64(bomb.count - 1)))
  }
}
