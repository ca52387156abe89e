import LoopbackServing
import Switchyard
import Testing

@Suite("Requests in one line, over a real server", .timeLimit(.minutes(5)))
struct OneLineRequestTests {
  struct Home: Codable, Equatable, Sendable {
    var street: String
    var price: Int
  }

  private func server() throws -> ScriptedServer {
    try ScriptedServer { request in
      let isTyped = request.value(of: "Content-Type") == "application/json"
      return switch (request.method, request.target) {
      case ("GET", "/homes/42?fields=street%20price"):
        ScriptedReply(
          fields: [("Content-Type", "application/json")], body: Array(#"{"street":"Main","price":5}"#.utf8))
      case ("POST", "/homes") where isTyped:
        ScriptedReply(status: 201, fields: [("Content-Type", "application/json")], body: request.body)
      case ("GET", "/truncated"):
        ScriptedReply(fields: [("Content-Type", "application/json")], body: Array(#"{"street":"#.utf8))
      case ("GET", "/wrong"):
        ScriptedReply(
          fields: [("Content-Type", "application/json")], body: Array(#"{"street":"Main","price":"5"}"#.utf8))
      case ("GET", "/nested"):
        ScriptedReply(
          body: Array(repeating: UInt8(ascii: "["), count: 1_000_000), framing: .chunks(of: 65_536))
      default: .text(#"{"title":"There is no such home."}"#, status: 404)
      }
    }
  }

  @Test(
    "H1: One line sends a request for a URL and decodes its JSON, and one sends JSON, with only the package imported"
  )
  func both() async throws {
    let server = try server()
    let url = "http://\(server.authority)/homes"
    let pipeline = try Pipeline.standard(over: CurlDispatcher())

    let home = try await pipeline.get("\(url)/42?fields=street%20price").decoded(as: Home.self)
    #expect(home == Home(street: "Main", price: 5))
    let created = try await pipeline.post(url, .json(home)).decoded(as: Home.self)
    #expect(created == home)

    let asked: Home = try await pipeline.get("\(url)/42", query: ["fields": "street price"]).decoded()
    #expect(asked == home)
  }

  @Test(
    "Hostile JSON is a typed error with the path to the field",
    arguments: [
      ("truncated", BodyDecodingError.Kind.malformed, nil), ("wrong", .mismatch, "price"),
      ("nothing", .status(404), nil),
    ] as [(String, BodyDecodingError.Kind, String?)])
  func hostile(_ path: String, _ kind: BodyDecodingError.Kind, _ field: String?) async throws {
    let server = try server()
    let pipeline = try Pipeline.standard(over: CurlDispatcher())
    let error = try await #require(throws: BodyDecodingError.self) {
      try await pipeline.get("http://\(server.authority)/\(path)").decoded(as: Home.self)
    }
    #expect(error.kind == kind && error.field == field)
    #expect(error.response?.status.code == (path == "nothing" ? 404 : 200))
  }

  @Test("A million nested arrays are refused with a typed error")
  func nested() async throws {
    let server = try server()
    let pipeline = try Pipeline.standard(over: CurlDispatcher())
    let error = try await #require(throws: BodyDecodingError.self) {
      try await pipeline.get("http://\(server.authority)/nested").decoded(as: [Home].self)
    }
    #expect(error.kind == .tooDeep(limit: 128))
  }
}
