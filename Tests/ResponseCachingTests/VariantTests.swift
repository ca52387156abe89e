import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Testing

@Suite struct VariantTests {
  private func bench(vary: String, fields: HTTPFields = [:]) -> CacheBench {
    var fields = fields
    fields[.vary] = vary
    return CacheBench(fields: fields)
  }

  @Test("Several variants of one key are stored, and selected by the fields that Vary names")
  func several() async throws {
    let bench = bench(vary: "Accept-Language,  X-Theme")
    let theme = HTTPField.Name.named("X-Theme")
    let requests: [HTTPFields] = [
      [:], [.acceptLanguage: "de"], [.acceptLanguage: "en"], [.acceptLanguage: "de", theme: "dark"],
      [theme: ""],
    ]
    for round in 1...2 {
      for (index, fields) in requests.enumerated() {
        let response = try await bench.send(.houses(fields: fields))
        #expect(response.exchange.cache?.isHit == (round == 2))
        #expect(try await response.body.collect(upTo: 99) == Array("answer \(index + 1)".utf8))
      }
    }
    #expect(bench.store.count == 5)
    #expect(try await bench.text(.houses(fields: [.acceptLanguage: " de "])) == "answer 2")
  }

  @Test("The ninth variant of a key replaces the oldest")
  func bounded() async throws {
    let bench = bench(vary: "Accept-Language")
    for number in 1...9 { _ = try await bench.send(.houses(fields: [.acceptLanguage: "\(number)"])) }
    #expect(bench.store.count == 8)
    #expect(try await bench.send(.houses(fields: [.acceptLanguage: "2"])).exchange.cache?.isHit == true)
    #expect(try await bench.send(.houses(fields: [.acceptLanguage: "1"])).exchange.cache?.isHit == false)
  }

  @Test("Signature fields in Vary are ignored, so a new nonce doesn't cause a miss")
  func signatures() async throws {
    let bench = bench(vary: "Switchyard-Nonce, Signature, traceparent, Accept")
    let nonce = HTTPField.Name.named("Switchyard-Nonce")
    _ = try await bench.send(.houses(fields: [nonce: "1", .traceparent: "a", .accept: "text/html"]))
    #expect(
      try await bench.send(.houses(fields: [nonce: "2", .traceparent: "b", .accept: "text/html"]))
        .exchange.cache?.isHit == true)
    #expect(
      try await bench.send(.houses(fields: [nonce: "2", .accept: "text/plain"])).exchange.cache?.isHit
        == false)
  }

  @Test("Signature fields don't affect the key")
  func keysIgnoreSignatures() async throws {
    let bench = CacheBench()
    for number in 1...3 {
      _ = try await bench.send(
        .houses(fields: [.named("Switchyard-Signature"): "\(number)", .named("Signature-Input"): "\(number)"])
      )
    }
    #expect(bench.server.requests.count == 1)
  }

  @Test("A response that is still encoded is only used for requests that accept the same codings")
  func coded() async throws {
    let bench = CacheBench(fields: [.contentEncoding: "gzip"])
    _ = try await bench.send(.houses(fields: [.acceptEncoding: "gzip"]))
    #expect(try await bench.send(.houses(fields: [.acceptEncoding: "gzip"])).exchange.cache?.isHit == true)
    #expect(try await bench.send(.houses()).exchange.cache?.isHit == false)
  }
}
