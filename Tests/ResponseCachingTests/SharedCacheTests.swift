import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Testing

/// The cache of a server, which serves many users (RFC 9111).
@Suite struct SharedCacheTests {
  private func fixture(_ fields: HTTPFields, sharing: CacheSharing = .shared) -> CacheFixture {
    CacheFixture(sharing: sharing) { _, number throws(NetworkError) in
      Response(status: .ok, headerFields: fields, bytes: [UInt8(number)])
    }
  }

  private func request(_ fields: HTTPFields = [:]) -> Request {
    .houses(rule: .stated(), fields: fields, api: nil)
  }

  @Test(
    "s-maxage sets the lifetime, private forbids to store, and a private cache ignores both",
    arguments: [
      ("max-age=10, s-maxage=20", 20, 10), ("max-age=20, s-maxage=10", 10, 20),
      ("s-maxage=0, max-age=5", nil, 5),
      ("private, max-age=5", nil, 5), ("private=\"x-a\", max-age=5", 5, 5), ("max-age=5", 5, 5),
      ("private=\"\", max-age=5", nil, 5),
    ] as [(String, Int64?, Int64?)])
  func lifetimes(_ control: String, shared: Int64?, `private`: Int64?) async throws {
    for (sharing, ttl) in [(CacheSharing.shared, shared), (.private, `private`)] {
      let fixture = fixture([.cacheControl: control, .named("X-A"): "1"], sharing: sharing)
      _ = try await fixture.send(request())
      let second = try await fixture.send(request())
      if let ttl {
        #expect(second.exchange.cache == .hit(ttl: ttl))
        let isListed = control.contains("\"x-a") && sharing == .shared
        #expect(second.head.headerFields.contains(.named("X-A")) == !isListed)
      } else {
        #expect(second.exchange.cache?.isHit == false)
      }
    }
  }

  @Test("A response is stored although hundreds of writes to other targets are made while it is fetched")
  func writes() async throws {
    let (isWaiting, isOpen) = (WaitableValue(false), WaitableValue(false))
    let fixture = CacheFixture(sharing: .shared) { request, _ throws(NetworkError) in
      if request.head.method == .get {
        isWaiting.update { $0 = true }
        _ = try? await isOpen.wait { $0 }
      }
      return Response(status: .ok, headerFields: [.cacheControl: "max-age=20"], bytes: [1])
    }
    async let response = fixture.send(request())
    _ = try await isWaiting.wait { $0 }
    for number in 0..<500 {
      _ = try await fixture.send(
        .houses("/v1/houses/\(number)", rule: .stated(), method: .put, api: nil))
    }
    isOpen.update { $0 = true }
    #expect(try await response.exchange.cache == .forwarded(.uriMiss, stored: true))
    #expect(fixture.store.count == 1)
  }

  @Test("s-maxage takes precedence over Expires")
  func expires() async throws {
    let expires = HTTPDate.format(CacheFixture.start.advanced(by: .seconds(-60)))
    let fixture = fixture([.cacheControl: "s-maxage=20", .expires: expires])
    _ = try await fixture.send(request())
    #expect(try await fixture.send(request()).exchange.cache == .hit(ttl: 20))
  }

  @Test(
    "A response to a request with Authorization is stored only if it says so, and then for all users",
    arguments: [
      ("max-age=20", false), ("public, max-age=20", true), ("s-maxage=20", true),
      ("max-age=20, must-revalidate", true), ("max-age=20, proxy-revalidate", false),
      ("public, private, max-age=20", false), ("public, no-store, max-age=20", false),
    ])
  func authorization(_ control: String, isStored: Bool) async throws {
    let fixture = fixture([.cacheControl: control])
    let first = try await fixture.send(request([.authorization: "Bearer ada"]))
    #expect(first.exchange.cache == .forwarded(.uriMiss, stored: isStored))
    let second = try await fixture.send(request([.authorization: "Bearer bob"]))
    #expect(second.exchange.cache?.isHit == isStored)
  }

  @Test("Users with different cookies share a response, unless Vary names them")
  func cookies() async throws {
    let open = fixture([.cacheControl: "max-age=20"])
    let varying = fixture([.cacheControl: "max-age=20", .vary: "Cookie"])
    for (fixture, isShared) in [(open, true), (varying, false)] {
      _ = try await fixture.send(request([.cookie: "sid=1"]))
      #expect(try await fixture.send(request([.cookie: "sid=2"])).exchange.cache?.isHit == isShared)
    }
  }

  @Test(
    "proxy-revalidate and s-maxage forbid stale responses",
    arguments: [
      ("max-age=10", true), ("max-age=10, proxy-revalidate", false), ("s-maxage=10", false),
      ("max-age=10, must-revalidate", false),
    ])
  func stale(_ control: String, isUsed: Bool) async throws {
    let fixture = fixture([.cacheControl: control])
    _ = try await fixture.send(request())
    fixture.clock.advance(by: .seconds(12))
    let response = try await fixture.send(request([.cacheControl: "max-stale"]))
    #expect(response.exchange.cache?.isHit == isUsed)
  }

  @Test("A hit has the age of the response; a forwarded one has the Age of the server")
  func age() async throws {
    let fixture = fixture([.cacheControl: "max-age=60", .age: "5"])
    #expect(try await fixture.send(request()).head.headerFields[.age] == "5")
    fixture.clock.advance(by: .seconds(7))
    #expect(try await fixture.send(request()).head.headerFields[.age] == "12")
  }
}
