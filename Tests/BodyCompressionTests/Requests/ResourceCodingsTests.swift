import HTTPTypes
import Testing

@testable import BodyCompression

@Suite struct ResourceCodingsTests {
  private func resource(_ path: String, authority: String = "a.test") -> ResourceCodings.Resource {
    ResourceCodings.Resource(HTTPRequest(method: .post, scheme: "https", authority: authority, path: path))
  }

  @Test("A verdict applies to one resource: authority in any case, path without query")
  func resources() {
    var codings = ResourceCodings()
    codings.note(.refuses, on: resource("/x?page=1"), at: .zero)
    #expect(codings.verdict(on: resource("/x?page=2", authority: "A.Test"), at: .zero) == .refuses)
    #expect(codings.verdict(on: resource("/y"), at: .zero) == nil)
    #expect(codings.verdict(on: resource("/x", authority: "b.test"), at: .zero) == nil)
    #expect(codings.verdict(on: resource("/X"), at: .zero) == nil)
  }

  @Test("A verdict expires after its lifetime")
  func lifetime() {
    var codings = ResourceCodings(lifetime: .seconds(10))
    codings.note(.refuses, on: resource("/x"), at: .seconds(5))
    #expect(codings.verdict(on: resource("/x"), at: .seconds(14)) == .refuses)
    #expect(codings.verdict(on: resource("/x"), at: .seconds(15)) == nil)
  }

  @Test("A refusal overrides an acceptance, but not the other way round")
  func refusalsStand() {
    var codings = ResourceCodings(lifetime: .seconds(10))
    codings.note(.accepts, on: resource("/x"), at: .zero)
    codings.note(.refuses, on: resource("/x"), at: .seconds(1))
    codings.note(.accepts, on: resource("/x"), at: .seconds(2))
    #expect(codings.verdict(on: resource("/x"), at: .seconds(3)) == .refuses)
    codings.note(.accepts, on: resource("/x"), at: .seconds(12))
    #expect(codings.verdict(on: resource("/x"), at: .seconds(12)) == .accepts)
  }

  @Test("The oldest resources are evicted beyond the capacity")
  func capacity() {
    var codings = ResourceCodings(capacity: 3)
    for second in 0..<100 { codings.note(.refuses, on: resource("/\(second)"), at: .seconds(second)) }
    #expect(codings.count == 3)
    #expect(codings.verdict(on: resource("/96"), at: .seconds(100)) == nil)
    #expect(codings.verdict(on: resource("/97"), at: .seconds(100)) == .refuses)
    #expect(codings.verdict(on: resource("/99"), at: .seconds(100)) == .refuses)
  }
}
