import Interception
import Testing

@testable import ResponseCaching
@testable import ValkeyStores

@Suite struct ResponseEntryTests {
  private static let tokens: [RESPReply] = [.bytes([1]), .bytes([2, 3])]

  @Test("An entry is decoded from its bytes, and from no beginning of them")
  func coding() {
    let entry = ResponseEntry(generation: [1, 2], tagGeneration: [], response: Array(0..<100))
    let bytes = entry.encoded
    #expect(ResponseEntry(encoded: bytes) == entry)
    for count in 0..<bytes.count { #expect(ResponseEntry(encoded: Array(bytes.prefix(count))) == nil) }
    #expect(ResponseEntry(encoded: bytes + [0]) == nil)
  }

  @Test("A generation differs with the server's start and with each token, and needs all of them")
  func generations() {
    let generation = ResponseEntry.generation(runID: "a", tokens: Self.tokens)
    #expect(generation != nil && generation == ResponseEntry.generation(runID: "a", tokens: Self.tokens))
    #expect(generation != ResponseEntry.generation(runID: "b", tokens: Self.tokens))
    #expect(generation != ResponseEntry.generation(runID: "a", tokens: [.bytes([1, 2]), .bytes([3])]))
    #expect(generation != ResponseEntry.generation(runID: "a", tokens: Self.tokens.reversed()))
    #expect(ResponseEntry.generation(runID: "a", tokens: [.bytes([1]), .null]) == nil)
  }

  @Test("Names of keys contain no part of a request")
  func names() throws {
    let request = ResponseValues.request("/v1/houses?token=secret")
    let keys = ResponseKeys(prefix: "p:")
    let key = try ResponseValues.key(of: request)
    let names = keys.slots(of: key) + keys.groups(of: key.subject) + keys.groups(of: ["houses"])
    #expect(Set(names).count == ResponseKeys.slotCount + 5 + 1)
    for name in names {
      #expect(name.hasPrefix("p:"))
      for part in ["houses", "secret", "estate", "alice"] { #expect(!name.contains(part)) }
    }
  }

  @Test("The time to live is the remaining lifetime and the time for which stale responses are kept")
  func lifetimes() throws {
    let request = ResponseValues.request()
    let keys = ResponseKeys(prefix: "p:")
    func lifetime(_ response: StoredResponse, after delay: Duration, staleFor: Duration) -> Duration? {
      let limits = ValkeyResponseStore.Limits(staleFor: staleFor, lifetime: .seconds(1_000))
      let now = CacheInstant(wall: ResponseValues.start.advanced(by: delay), steady: nil)
      return ResponseWrite(response, limits, keys: keys, at: now)?.lifetime
    }
    let response = try ResponseValues.response(to: request)
    #expect(lifetime(response, after: .zero, staleFor: .seconds(100)) == .seconds(160))
    #expect(lifetime(response, after: .seconds(20), staleFor: .seconds(100)) == .seconds(140))
    #expect(lifetime(response, after: .seconds(100), staleFor: .seconds(100)) == .seconds(60))
    #expect(lifetime(response, after: .seconds(500), staleFor: .seconds(100)) == nil)
    #expect(lifetime(response, after: .seconds(-5), staleFor: .seconds(100)) == .seconds(160))
    #expect(lifetime(response, after: .seconds(60), staleFor: .zero) == nil)
    #expect(lifetime(response, after: .zero, staleFor: .seconds(5_000)) == .seconds(1_000))
  }

  @Test("Large, sensitive and heavily tagged responses are declined")
  func declined() throws {
    let request = ResponseValues.request()
    let keys = ResponseKeys(prefix: "p:")
    let limits = ValkeyResponseStore.Limits(responseBytes: 10_000)
    func isAccepted(_ response: StoredResponse) -> Bool {
      ResponseWrite(response, limits, keys: keys, at: ResponseValues.now) != nil
    }
    #expect(try isAccepted(ResponseValues.response(to: request)))
    let large = String(repeating: "a", count: 10_000)
    #expect(try !isAccepted(ResponseValues.response(to: request, large)))
    #expect(try !isAccepted(ResponseValues.response(to: request, isInMemoryOnly: true)))
    let tags = Set((0...ResponseWrite.maximumTagCount).map { CacheRule.Tag("tag \($0)") })
    #expect(try !isAccepted(ResponseValues.response(to: request, tags: tags)))
  }
}
