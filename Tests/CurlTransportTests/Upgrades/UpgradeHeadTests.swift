import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct UpgradeHeadTests {
  private func head(_ change: (inout Request) -> Void) throws -> String? {
    var request = try Request("http://api.test:8080/news?since=4")
    request.context.upgrade = "websocket"
    change(&request)
    let plan = try RequestPlan(request, sites: SiteCache(.init(userAgent: "App")))
    return plan.upgradeHead.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("A request that asks for an upgrade has its fields, those of the upgrade, and no coding")
  func lines() throws {
    let text = try head { request in
      request.head.headerFields[.secWebSocketVersion] = "13"
      request.head.headerFields[.authorization] = ""
    }
    #expect(
      text == """
        GET /news?since=4 HTTP/1.1\r
        Host: api.test:8080\r
        Sec-WebSocket-Version: 13\r
        Authorization:\r
        User-Agent: App\r
        Connection: Upgrade\r
        Upgrade: websocket\r
        \r

        """)
  }

  @Test("Any other request has none")
  func none() throws {
    #expect(try head { $0.context.upgrade = nil } == nil)
  }

  @Test("A request with a body or another method can't ask for an upgrade")
  func refused() throws {
    #expect(throws: NetworkError.self) { try head { $0.head.method = .post } }
    #expect(throws: NetworkError.self) { try head { $0.body = .bytes([1]) } }
  }

  @Test("The fields that belong to the connection stay refused")
  func ownFields() throws {
    #expect(throws: NetworkError.self) { try head { $0.head.headerFields[.upgrade] = "h2c" } }
  }

  @Test("A head with the status 101 is complete only after an upgrade was requested")
  func switching() {
    for accepts in [false, true] {
      var parser = HeadParser(acceptsUpgrade: accepts)
      let lines = [
        "HTTP/1.1 103 Early Hints", "", "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "",
      ]
      let events = lines.map { line in parser.consume(Array("\(line)\r\n".utf8).span) }
      let isHead = if case .head? = events.last { true } else { false }
      #expect(isHead == accepts && events.dropLast().allSatisfy { $0 == .none })
    }
  }
}
