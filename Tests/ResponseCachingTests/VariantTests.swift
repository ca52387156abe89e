import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Testing

@Suite struct VariantTests {
  private func fixture(vary: String, fields: HTTPFields = [:]) -> CacheFixture {
    var fields = fields
    fields[.vary] = vary
    return CacheFixture(fields: fields)
  }

  @Test("Several variants of one key are stored, and selected by the fields that Vary names")
  func several() async throws {
    let fixture = fixture(vary: "Accept-Language,  X-Theme")
    let theme = HTTPField.Name.named("X-Theme")
    let requests: [HTTPFields] = [
      [:], [.acceptLanguage: "de"], [.acceptLanguage: "en"], [.acceptLanguage: "de", theme: "dark"],
      [theme: ""],
    ]
    for round in 1...2 {
      for (index, fields) in requests.enumerated() {
        let response = try await fixture.send(.houses(fields: fields))
        #expect(response.exchange.cache?.isHit == (round == 2))
        #expect(try await response.body.collect(upTo: 99) == Array("response \(index + 1)".utf8))
      }
    }
    #expect(fixture.store.count == 5)
    #expect(try await fixture.text(.houses(fields: [.acceptLanguage: " de "])) == "response 2")
  }

  @Test("The ninth variant of a key replaces the oldest")
  func bounded() async throws {
    let fixture = fixture(vary: "Accept-Language")
    for number in 1...9 { _ = try await fixture.send(.houses(fields: [.acceptLanguage: "\(number)"])) }
    #expect(fixture.store.count == 8)
    #expect(try await fixture.send(.houses(fields: [.acceptLanguage: "2"])).exchange.cache?.isHit == true)
    #expect(try await fixture.send(.houses(fields: [.acceptLanguage: "1"])).exchange.cache?.isHit == false)
  }

  @Test("Signature fields in Vary are ignored, so a new nonce doesn't cause a miss")
  func signatures() async throws {
    let fixture = fixture(vary: "Switchyard-Nonce, Signature, traceparent, Accept")
    let nonce = HTTPField.Name.named("Switchyard-Nonce")
    func isHit(_ fields: HTTPFields) async throws -> Bool? {
      try await fixture.send(.houses(partition: "ada", fields: fields)).exchange.cache?.isHit
    }
    #expect(try await isHit([nonce: "1", .traceparent: "a", .accept: "text/html"]) == false)
    #expect(try await isHit([nonce: "2", .traceparent: "b", .accept: "text/html"]) == true)
    #expect(try await isHit([nonce: "2", .accept: "text/plain"]) == false)
  }

  @Test("Signature fields don't affect the key")
  func keysIgnoreSignatures() async throws {
    let fixture = CacheFixture()
    for number in 1...3 {
      _ = try await fixture.send(
        .houses(
          partition: "ada",
          fields: [.named("Switchyard-Signature"): "\(number)", .named("Signature-Input"): "\(number)"]))
    }
    #expect(fixture.server.requests.count == 1)
  }

  @Test("A response that is still encoded is only used for requests that accept the same codings")
  func coded() async throws {
    let fixture = CacheFixture(fields: [.contentEncoding: "gzip"])
    _ = try await fixture.send(.houses(fields: [.acceptEncoding: "gzip"]))
    #expect(try await fixture.send(.houses(fields: [.acceptEncoding: "gzip"])).exchange.cache?.isHit == true)
    #expect(try await fixture.send(.houses()).exchange.cache?.isHit == false)
  }
}
