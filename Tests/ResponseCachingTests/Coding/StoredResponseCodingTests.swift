import HTTPTypes
import Interception
import Testing

@testable import ResponseCaching

@Suite("Coding of stored responses")
struct StoredResponseCodingTests {
  private static func response(body: [UInt8] = Array("twelve houses".utf8)) throws -> StoredResponse {
    let request = Request.houses(
      "/v1/houses?city=1&page=2", partition: "anna", fields: [.acceptLanguage: "de", .accept: "text/plain"])
    var fields: HTTPFields = [.eTag: "\"7\"", .vary: "Accept-Language, Accept", .contentType: "text/plain"]
    fields.append(HTTPField(name: .named("X-Latin"), lenientValue: [0x4d, 0xfc, 0x6c, 0x6c]))
    let head = HTTPResponse(
      status: HTTPResponse.Status(code: 203, reasonPhrase: "Mostly"), headerFields: fields)
    return StoredResponse(
      key: try #require(CacheKey(request, leavingOut: .standard)),
      selector: try #require(
        VariantSelector(of: head, to: request.head.headerFields, leavingOut: .standard)),
      head: head, body: body, trailers: [.named("X-Sum"): "4"],
      freshness: Freshness(
        received: CacheInstant(wall: CacheFixture.start, steady: .seconds(5)), initialAge: .seconds(3),
        lifetime: .milliseconds(60_500), staleWindow: .seconds(9), isHeuristic: true),
      tags: ["houses", "house 7"], isInMemoryOnly: true)
  }

  @Test("A response that was encoded and decoded equals the original one in every part")
  func roundTrip() throws {
    let original = try Self.response()
    let decoded = try #require(StoredResponse(encoded: original.encoded()))
    #expect(decoded.key == original.key)
    #expect(decoded.key.subject == original.key.subject)
    #expect(decoded.key.digest == original.key.digest)
    #expect(decoded.selector == original.selector)
    #expect(decoded.selector.matches([.acceptLanguage: "de", .accept: "text/plain"]))
    #expect(!decoded.selector.matches([.acceptLanguage: "en", .accept: "text/plain"]))
    #expect(decoded.head == original.head)
    #expect(decoded.head.status.reasonPhrase == "Mostly")
    #expect(decoded.body == original.body)
    #expect(decoded.trailers == original.trailers)
    #expect(decoded.tags == ["houses", "house 7"])
    #expect(decoded.isInMemoryOnly)
    #expect(decoded.size == original.size)
    #expect(decoded.freshness.received == CacheInstant(wall: CacheFixture.start, steady: nil))
    #expect(decoded.freshness.initialAge == .seconds(3))
    #expect(decoded.freshness.lifetime == .milliseconds(60_500))
    #expect(decoded.freshness.staleWindow == .seconds(9))
    #expect(decoded.freshness.isHeuristic)
    #expect(decoded.encoded() == original.encoded())
  }

  @Test(
    "A head that would be too long to be decoded is not encoded",
    arguments: [(15 << 20, true), (17 << 20, false)])
  func longHeads(length: Int, isEncoded: Bool) throws {
    let original = try Self.response()
    var head = original.head
    head.headerFields.append(
      HTTPField(name: .named("X-Long"), lenientValue: [UInt8](repeating: 0x61, count: length)))
    let long = StoredResponse(
      key: original.key, selector: original.selector, head: head, body: [], trailers: nil,
      freshness: original.freshness)
    #expect(long.encoded().isEmpty != isEncoded)
    #expect((StoredResponse(encoded: long.encoded()) != nil) == isEncoded)
    #expect(long.encodedHead().isEmpty != isEncoded)
  }

  @Test("Times and durations that no response has are refused or bounded, so that no sum overflows")
  func extremes() throws {
    let original = try Self.response()
    let now = CacheInstant(wall: CacheFixture.start, steady: .seconds(5))
    for seconds in [Int64.min, -1 << 50, 1 << 50, Int64.max] {
      let far = Duration(secondsComponent: seconds, attosecondsComponent: 0)
      let stored = Self.response(
        original, Freshness(received: now, initialAge: far, lifetime: far, staleWindow: far))
      let decoded = try #require(StoredResponse(encoded: stored.encoded()))
      #expect(decoded.freshness.lifetime == .seconds(seconds < 0 ? -(1 << 40) : 1 << 40))
      _ = (decoded.isOlder(than: original), original.isOlder(than: decoded))
      let age = decoded.freshness.age(at: now)
      #expect(decoded.response(age: age).head.headerFields.contains(.age))
      let moment = CacheInstant(wall: WallTime(secondsSince1970: seconds), steady: nil)
      let distant = Self.response(original, Freshness(received: moment, initialAge: .zero, lifetime: .zero))
      #expect(StoredResponse(encoded: distant.encoded()) == nil)
    }
  }

  private static func response(_ original: StoredResponse, _ freshness: Freshness) -> StoredResponse {
    StoredResponse(
      key: original.key, selector: original.selector, head: original.head, body: original.body,
      trailers: original.trailers, freshness: freshness)
  }

  @Test("An encoded response with any bit flipped, any byte removed or one added is not decoded")
  func damage() throws {
    let bytes = try Self.response().encoded()
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << bit
        #expect(StoredResponse(encoded: changed) == nil, "bit \(bit) of byte \(index)")
      }
      #expect(StoredResponse(encoded: Array(bytes[..<index])) == nil, "first \(index) bytes")
      #expect(StoredResponse(encoded: Array(bytes[(index + 1)...])) == nil, "without \(index + 1) bytes")
    }
    #expect(StoredResponse(encoded: bytes + [0]) == nil)
  }

  @Test("A head is not decoded with the body of another response, even of the same length")
  func exchangedBody() throws {
    let (first, second) = (try Self.response(), try Self.response(body: Array("eleven houses".utf8)))
    #expect(StoredResponse(encodedHead: first.encodedHead(), body: first.body)?.body == first.body)
    #expect(StoredResponse(encodedHead: first.encodedHead(), body: second.body) == nil)
    #expect(StoredResponse(encodedHead: first.encodedHead(), body: []) == nil)
  }

  @Test("Random bytes, and lengths beyond what is left, are decoded as nothing")
  func foreignBytes() {
    var random = SystemRandomNumberGenerator()
    for length in 0..<400 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(StoredResponse(encoded: bytes) == nil)
      #expect(CacheKey(encoded: bytes) == nil)
      #expect(VariantSelector(encoded: bytes) == nil)
    }
    for first: UInt8 in [0x00, 0x7f, 0x80, 0xff] {
      let length = [first] + [UInt8](repeating: 0xff, count: 7)
      #expect(StoredResponse(encoded: length + [1, 2, 3]) == nil)
      #expect(CacheKey(encoded: length + [1, 2, 3]) == nil)
    }
  }

  @Test("A selector without names is only restored from an encoding that says so")
  func selector() throws {
    let all = try #require(VariantSelector(of: HTTPResponse(status: .ok), to: [:], leavingOut: .standard))
    #expect(VariantSelector(encoded: all.encoded) == all)
    let some = try Self.response().selector
    #expect(VariantSelector(encoded: some.encoded) == some)
    for count in 0..<some.encoded.count {
      #expect(VariantSelector(encoded: Array(some.encoded[..<count])) != all, "first \(count) bytes")
    }
    #expect(VariantSelector(encoded: []) == nil)
  }
}
