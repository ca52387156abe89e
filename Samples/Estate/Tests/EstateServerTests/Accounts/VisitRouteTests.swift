import HTTPTypes
import Testing

@testable import EstateServer

@Suite struct VisitRouteTests {
  private func visit(_ caller: APICaller, cookie: String?) async throws -> (visits: JSON, cookie: String) {
    var fields: HTTPFields = [:]
    if let cookie { fields.append(HTTPField(name: .cookie, value: cookie)) }
    let reply = try await caller.post("/v1/visits", json: "", fields: fields)
    let line = try #require(reply.fields[.setCookie])
    #expect(line.hasSuffix("; Path=/v1/visits; Max-Age=31536000; Secure; HttpOnly; SameSite=Strict"))
    return (try reply.json["visits"], String(line.prefix { $0 != ";" }))
  }

  @Test("Visits with the same cookie are counted, and a device without one gets its own")
  func counting() async throws {
    let caller = try APICaller()
    let first = try await visit(caller, cookie: nil)
    #expect(first.visits == 1 && first.cookie.wholeMatch(of: /estate_device=[0-9a-f]{32}/) != nil)
    let second = try await visit(caller, cookie: "a=b; \(first.cookie)")
    #expect(second == (2, first.cookie))
    let other = try await visit(caller, cookie: nil)
    #expect(other.visits == 1 && other.cookie != first.cookie)
  }

  @Test("An identifier that the server did not choose is replaced")
  func foreign() async throws {
    let answer = try await visit(APICaller(), cookie: "estate_device=chosen")
    #expect(answer.visits == 1 && answer.cookie != "estate_device=chosen")
  }

  @Test("Of more devices than fit, the oldest one is forgotten")
  func capacity() {
    let visitors = Visitors()
    let first = visitors.visit(nil).id
    #expect(visitors.visit(first).visits == 2)
    for _ in 0..<Visitors.capacity { _ = visitors.visit(nil) }
    #expect(visitors.visit(first).visits == 1)
  }
}
