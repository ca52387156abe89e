import HTTPTypes
import Testing

@testable import BodyCompression

@Suite struct CodingMemoryTests {
  private func resource(_ path: String, authority: String = "a.test") -> CodingMemory.Resource {
    CodingMemory.Resource(HTTPRequest(method: .post, scheme: "https", authority: authority, path: path))
  }

  @Test("A verdict applies to one resource: authority in any case, path without query")
  func resources() {
    var memory = CodingMemory()
    memory.note(.refuses, on: resource("/x?page=1"), at: .zero)
    #expect(memory.verdict(on: resource("/x?page=2", authority: "A.Test"), at: .zero) == .refuses)
    #expect(memory.verdict(on: resource("/y"), at: .zero) == nil)
    #expect(memory.verdict(on: resource("/x", authority: "b.test"), at: .zero) == nil)
    #expect(memory.verdict(on: resource("/X"), at: .zero) == nil)
  }

  @Test("A verdict expires after its lifetime")
  func lifetime() {
    var memory = CodingMemory(lifetime: .seconds(10))
    memory.note(.refuses, on: resource("/x"), at: .seconds(5))
    #expect(memory.verdict(on: resource("/x"), at: .seconds(14)) == .refuses)
    #expect(memory.verdict(on: resource("/x"), at: .seconds(15)) == nil)
  }

  @Test("A refusal overrides an acceptance, but not the other way round")
  func refusalsStand() {
    var memory = CodingMemory(lifetime: .seconds(10))
    memory.note(.accepts, on: resource("/x"), at: .zero)
    memory.note(.refuses, on: resource("/x"), at: .seconds(1))
    memory.note(.accepts, on: resource("/x"), at: .seconds(2))
    #expect(memory.verdict(on: resource("/x"), at: .seconds(3)) == .refuses)
    memory.note(.accepts, on: resource("/x"), at: .seconds(12))
    #expect(memory.verdict(on: resource("/x"), at: .seconds(12)) == .accepts)
  }

  @Test("The oldest resources are evicted beyond the capacity")
  func capacity() {
    var memory = CodingMemory(capacity: 3)
    for second in 0..<100 { memory.note(.refuses, on: resource("/\(second)"), at: .seconds(second)) }
    #expect(memory.count == 3)
    #expect(memory.verdict(on: resource("/96"), at: .seconds(100)) == nil)
    #expect(memory.verdict(on: resource("/97"), at: .seconds(100)) == .refuses)
    #expect(memory.verdict(on: resource("/99"), at: .seconds(100)) == .refuses)
  }
}
