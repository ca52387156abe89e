import HTTPTypes
import Interception
import Testing
import WebSocketCompression

@testable import WebSockets

@Suite("OpeningHandshake")
struct OpeningHandshakeTests {
  // The example of RFC 6455, section 1.3.
  private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
  private static let acceptance = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

  private func fault(_ body: () throws(WebSocketError) -> Void) -> WebSocketError? {
    do throws(WebSocketError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private func head(_ change: (inout HTTPFields) -> Void = { _ in }) -> HTTPResponse {
    var fields: HTTPFields = [
      .upgrade: "WebSocket", .connection: "keep-alive, Upgrade", .secWebSocketAccept: Self.acceptance,
    ]
    change(&fields)
    return HTTPResponse(status: .init(code: 101), headerFields: fields)
  }

  @Test("The acceptance of the example of RFC 6455 is its hash")
  func example() throws {
    #expect(try OpeningHandshake.acceptance(of: Self.key) == Self.acceptance)
  }

  @Test("A key has 16 random bytes")
  func keys() throws {
    let keys = try (0..<100).map { _ in try OpeningHandshake(WebSocketConfiguration()).key }
    #expect(Set(keys).count == 100 && keys.allSatisfy { $0.utf8.count == 24 && $0.hasSuffix("==") })
  }

  @Test(
    "The schemes ws and wss become those of HTTP",
    arguments: [("ws", "http"), ("wss", "https"), ("http", "http"), ("https", "https"), ("WSS", "https")])
  func schemes(given: String, sent: String) throws {
    let handshake = try OpeningHandshake(key: Self.key, subprotocols: ["a", "b"])
    var request = try Request("\(given)://api.test/news")
    request.options.timeouts.call = .seconds(3)
    let applied = try handshake.applied(to: request)
    #expect(applied.head.scheme == sent && applied.context.upgrade == "websocket" && applied.id == request.id)
    #expect(applied.head.headerFields[.secWebSocketKey] == Self.key)
    #expect(applied.head.headerFields[.secWebSocketProtocol] == "a, b")
    #expect(applied.options.timeouts.call == .seconds(3))
  }

  @Test("A request that can't open a WebSocket is refused")
  func requests() throws {
    let handshake = try OpeningHandshake(key: Self.key, subprotocols: [])
    var requests = [
      try Request("ftp://api.test/"), try Request("wss://api.test/", method: .post),
      try Request("wss://api.test/", body: .bytes([1])),
    ]
    for name in [
      HTTPField.Name.secWebSocketKey, .secWebSocketProtocol, .secWebSocketVersion, .secWebSocketExtensions,
    ] {
      requests.append(try Request("wss://api.test/", headerFields: [name: "mine"]))
    }
    for request in requests {
      let error = fault { () throws(WebSocketError) in _ = try handshake.applied(to: request) }
      #expect(error?.kind == .handshakeFailed)
    }
    for names in [["a b"], [""], ["a", "a"], ["a,b"], [":a"]] {
      let error = fault { () throws(WebSocketError) in
        _ = try OpeningHandshake(key: Self.key, subprotocols: names)
      }
      #expect(error?.kind == .handshakeFailed)
    }
  }

  @Test("A correct response is accepted, with the subprotocol that it selects")
  func acceptedResponses() throws {
    let handshake = try OpeningHandshake(key: Self.key, subprotocols: ["a", "b"])
    #expect(try handshake.checked(head()) == OpeningHandshake.Selection())
    #expect(try handshake.checked(head { $0[.secWebSocketProtocol] = "b" }).subprotocol == "b")
  }

  @Test("Compression is offered where it is configured, and selected or declined by the server")
  func compression() throws {
    let plain = try OpeningHandshake(key: Self.key, subprotocols: [])
    let offering = try OpeningHandshake(key: Self.key, subprotocols: [], compression: .init())
    let request = try Request("wss://api.test/")
    #expect(try plain.applied(to: request).head.headerFields[.secWebSocketExtensions] == nil)
    let offer = try offering.applied(to: request).head.headerFields[.secWebSocketExtensions]
    #expect(offer == "permessage-deflate; client_no_context_takeover")
    #expect(try offering.checked(head()).compression == nil)
    let selected = try offering.checked(head { $0[.secWebSocketExtensions] = "permessage-deflate" })
    #expect(selected.compression == CompressionAgreement(retainsContext: true))
    let error = fault { () throws(WebSocketError) in
      _ = try offering.checked(head { $0[.secWebSocketExtensions] = "permessage-secret" })
    }
    #expect(error?.reason.contains("Sec-WebSocket-Extensions") == true)
    #expect(error?.reason.contains("secret") == false)
  }

  @Test("Empty members of lists, and the same field twice, are accepted", arguments: 0..<7)
  func toleratedResponses(index: Int) throws {
    let changes: [(inout HTTPFields) -> Void] = [
      { $0[.upgrade] = "websocket, " }, { $0[values: .upgrade] = ["websocket", "", "WebSocket"] },
      { $0[.connection] = " ,Upgrade,," }, { $0[values: .connection] = ["", "upgrade"] },
      { $0[values: .secWebSocketAccept] = [Self.acceptance, Self.acceptance] },
      { $0[values: .secWebSocketProtocol] = ["a", "a", ""] }, { $0[.secWebSocketExtensions] = " , " },
    ]
    let handshake = try OpeningHandshake(key: Self.key, subprotocols: ["a", "b"])
    #expect(throws: Never.self) { try handshake.checked(head(changes[index])) }
  }

  @Test("A wrong response is refused, and the error names its field", arguments: 0..<9)
  func refusedResponses(index: Int) throws {
    let changes: [(String, (inout HTTPFields) -> Void)] = [
      ("Upgrade", { $0[.upgrade] = nil }), ("Upgrade", { $0[.upgrade] = "h2c" }),
      ("Connection", { $0[.connection] = nil }), ("Connection", { $0[.connection] = "close" }),
      ("Sec-WebSocket-Accept", { $0[.secWebSocketAccept] = nil }),
      ("Sec-WebSocket-Accept", { $0[.secWebSocketAccept] = Self.acceptance.lowercased() }),
      ("Sec-WebSocket-Extensions", { $0[.secWebSocketExtensions] = "permessage-deflate" }),
      ("Sec-WebSocket-Protocol", { $0[.secWebSocketProtocol] = "secret" }),
      ("Sec-WebSocket-Protocol", { $0[values: .secWebSocketProtocol] = ["a", "b"] }),
    ]
    let handshake = try OpeningHandshake(key: Self.key, subprotocols: ["a", "b"])
    let (field, change) = changes[index]
    let error = fault { () throws(WebSocketError) in _ = try handshake.checked(head(change)) }
    #expect(error?.kind == .handshakeFailed)
    #expect(error?.reason.contains(field) == true && error?.reason.contains("secret") == false)
  }
}
