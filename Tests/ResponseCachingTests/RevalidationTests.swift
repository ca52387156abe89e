import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting
import Testing

@Suite struct RevalidationTests {
  /// A server with one version of a resource, which it confirms with the given fields.
  private func fixture(
    _ first: HTTPFields, confirming fields: HTTPFields = [:], status: HTTPResponse.Status = .notModified
  ) -> CacheFixture {
    CacheFixture { request, number throws(NetworkError) in
      let isConditional =
        request.head.headerFields.contains(.ifNoneMatch)
        || request.head.headerFields.contains(.ifModifiedSince)
      var response =
        isConditional
        ? Response(status: status, headerFields: fields)
        : Response(status: .ok, headerFields: first, bytes: Array("response \(number)".utf8))
      response.exchange.attempts = 1
      return response
    }
  }

  @Test("D11: A stale response with an ETag is revalidated, and the caller gets a 200 with the body")
  func confirmed() async throws {
    let fixture = fixture([.eTag: "\"v1\"", .lastModified: "Sat, 05 Nov 1994 00:00:00 GMT"])
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(60))
    let response = try await fixture.send(.houses())
    #expect(response.status == .ok)
    #expect(try await response.body.collect(upTo: 99) == Array("response 1".utf8))
    #expect(response.exchange == Exchange(attempts: 1, cache: .revalidated()))
    let sent = try #require(fixture.server.requests.last).head.headerFields
    #expect(sent[.ifNoneMatch] == "\"v1\"")
    #expect(sent[.ifModifiedSince] == "Sat, 05 Nov 1994 00:00:00 GMT")
    fixture.clock.advance(by: .seconds(59))
    #expect(try await fixture.send(.houses()).exchange.cache == .hit(ttl: 1))
  }

  @Test(
    "An entity tag is sent back byte for byte, and compared by its bytes",
    arguments: [[0xE9], Array("\u{E9}".utf8), [0xFF, 0x80]] as [[UInt8]])
  func opaqueTag(opaque: [UInt8]) async throws {
    let tag = [0x22] + opaque + [0x22]
    let stored = HTTPFields([HTTPField(name: .eTag, value: tag), HTTPField(name: .eTag, value: tag)])
    let fixture = fixture(stored, confirming: HTTPFields([HTTPField(name: .eTag, value: tag)]))
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(60))
    #expect(try await fixture.send(.houses()).exchange.cache == .revalidated())
    #expect(fixture.server.requests.last?.head.headerFields.bytes(of: .ifNoneMatch) == tag)
    // A 304 with another tag is not a confirmation, although both are the same string.
    let other = self.fixture(
      stored, confirming: HTTPFields([HTTPField(name: .eTag, value: [0x22, 0xE8, 0x22] as [UInt8])]))
    _ = try await other.send(.houses())
    other.clock.advance(by: .seconds(60))
    _ = try await other.send(.houses())
    #expect(other.server.requests.count == 3)
  }

  @Test("Requests that a field selects by bytes that are not UTF-8 get different responses")
  func opaqueSelection() async throws {
    let name = HTTPField.Name.named("X-City")
    let fixture = CacheFixture(fields: [.vary: "X-City, "])
    func send(_ value: [UInt8]) async throws -> String {
      var request = Request.houses()
      request.head.headerFields.append(HTTPField(name: name, value: value))
      return try await fixture.text(request)
    }
    #expect(try await send([0xE9]) == "response 1")
    #expect(try await send([0xE8]) == "response 2")
    #expect(try await send([0xE9]) == "response 1")
  }

  @Test("D11: Last-Modified suffices; without a validator the request has no condition")
  func validators() async throws {
    let dated = fixture([.lastModified: "Sat, 05 Nov 1994 00:00:00 GMT"])
    let bare = fixture([:])
    for fixture in [dated, bare] {
      _ = try await fixture.send(.houses())
      fixture.clock.advance(by: .seconds(60))
    }
    #expect(try await dated.send(.houses()).exchange.cache == .revalidated())
    #expect(try await bare.send(.houses()).exchange.cache == .forwarded(.stale, stored: true))
    #expect(bare.server.requests.last?.head.headerFields.contains(.ifNoneMatch) == false)
  }

  @Test("D11: The header fields of a 304 replace the stored ones, except those that describe the content")
  func merged() async throws {
    let note = HTTPField.Name.named("X-Note")
    let fixture = fixture(
      [
        .eTag: "\"v1\"", .contentType: "text/plain", .contentLength: "10", .cacheControl: "max-age=30",
        note: "old",
        .server: "one", .age: "5",
      ],
      confirming: [
        .eTag: "\"v1\"", .contentType: "text/html", .contentLength: "0", .contentEncoding: "br",
        .contentRange: "bytes 0-0/1", .cacheControl: "max-age=20", note: "new", .connection: "close, X-Hop",
        .named("X-Hop"): "1",
      ])
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(30))
    let confirmed = try await fixture.send(.houses())
    let stored = try await fixture.send(.houses())
    #expect(stored.exchange.cache == .hit(ttl: 20))
    for response in [confirmed, stored] {
      let fields = response.head.headerFields
      #expect(fields[.contentType] == "text/plain")
      #expect(fields[.contentLength] == "10")
      #expect(fields[.contentEncoding] == nil)
      #expect(fields[.contentRange] == nil)
      #expect(fields[.cacheControl] == "max-age=20")
      #expect(fields[note] == "new")
      #expect(fields[.server] == "one")
      #expect(fields[.connection] == nil)
      #expect(fields[.named("X-Hop")] == nil)
    }
    #expect(confirmed.head.headerFields[.age] == nil)
    #expect(stored.head.headerFields[.age] == "0")
  }

  @Test("A new version replaces the stored response; an error doesn't")
  func replaced() async throws {
    let fixture = CacheFixture { request, number throws(NetworkError) in
      switch number {
      case 2: Response(status: .serviceUnavailable)
      default: Response(status: .ok, headerFields: [.eTag: "\"v\(number)\""], bytes: [UInt8(number)])
      }
    }
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(60))
    let failed = try await fixture.send(.houses())
    #expect(failed.status == .serviceUnavailable)
    #expect(failed.exchange.cache == .forwarded(.stale, stored: false))
    #expect(fixture.store.count == 1)
    let replaced = try await fixture.send(.houses())
    #expect(replaced.exchange.cache == .forwarded(.stale, stored: true))
    #expect(fixture.server.requests.map { $0.head.headerFields[.ifNoneMatch] } == [nil, "\"v1\"", "\"v1\""])
    #expect(try await fixture.send(.houses()).body.collect(upTo: 9) == [3])
    #expect(fixture.store.count == 1)
  }

  @Test("After a 304 with another entity tag the request is sent again without a condition")
  func mismatched() async throws {
    let fixture = fixture([.eTag: "\"v1\""], confirming: [.eTag: "\"v2\""])
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(60))
    let response = try await fixture.send(.houses())
    #expect(try await response.body.collect(upTo: 99) == Array("response 3".utf8))
    #expect(response.exchange.cache == .forwarded(.stale, stored: true))
  }

  @Test("After a 304 with another date the response is replaced, once, and not confirmed at every request")
  func otherDate() async throws {
    // As of nginx with `etag off` and `if_modified_since before`, after a file was rolled back.
    let (new, old) = ("Sat, 05 Nov 1994 00:00:00 GMT", "Fri, 04 Nov 1994 00:00:00 GMT")
    let fixture = CacheFixture { request, number throws(NetworkError) in
      guard number > 1 else { return Response(status: .ok, headerFields: [.lastModified: new], bytes: [1]) }
      return request.head.headerFields.contains(.ifModifiedSince)
        ? Response(status: .notModified, headerFields: [.lastModified: old])
        : Response(status: .ok, headerFields: [.lastModified: old], bytes: [2])
    }
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(60))
    let replaced = try await fixture.send(.houses())
    #expect(try await replaced.body.collect(upTo: 9) == [2])
    #expect(replaced.exchange.cache == .forwarded(.stale, stored: true))
    #expect(fixture.server.requests.map { $0.head.headerFields[.ifModifiedSince] } == [nil, new, nil])
    #expect(fixture.store.count == 1)
    fixture.clock.advance(by: .seconds(60))
    let confirmed = try await fixture.send(.houses())
    #expect(try await confirmed.body.collect(upTo: 9) == [2])
    #expect(confirmed.head.headerFields[.lastModified] == old)
    #expect(confirmed.exchange.cache == .revalidated())
  }

  @Test("A 304 with a strong validator that the stored response lacks doesn't confirm it")
  func unknownValidator() async throws {
    let fixture = fixture(
      [.lastModified: "Sat, 05 Nov 1994 00:00:00 GMT"],
      confirming: [.eTag: "\"v2\"", .lastModified: "Sat, 05 Nov 1994 00:00:00 GMT"])
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(60))
    #expect(try await fixture.text(.houses()) == "response 3")
  }

  @Test("An entity tag that is an asterisk or a list is never sent back", arguments: ["*", "\"a\", \"b\""])
  func unusableTag(_ tag: String) async throws {
    let fixture = fixture([.eTag: tag])
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(60))
    #expect(try await fixture.text(.houses()) == "response 2")
    #expect(fixture.server.requests.allSatisfy { !$0.head.headerFields.contains(.ifNoneMatch) })
  }

  @Test("The Date of a 304 replaces the stored one; a 304 without a Date was created when it arrived")
  func dates() async throws {
    let date = HTTPDate.format(CacheFixture.start)
    let fixture = CacheFixture { request, _ throws(NetworkError) in
      request.head.headerFields.contains(.ifNoneMatch)
        ? Response(status: .notModified)
        : Response(status: .ok, headerFields: [.eTag: "\"a\"", .date: date, .cacheControl: "max-age=60"])
    }
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(60))
    let confirmed = try await fixture.send(.houses())
    #expect(confirmed.head.headerFields[.date] == "Sun, 06 Nov 1994 08:50:37 GMT")
    #expect(try await fixture.send(.houses()).exchange.cache == .hit(ttl: 60))
  }

  @Test("A weak entity tag matches the strong one with the same text")
  func weak() async throws {
    let fixture = fixture([.eTag: "\"v1\""], confirming: [.eTag: "W/\"v1\""])
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(60))
    #expect(try await fixture.send(.houses()).exchange.cache == .revalidated())
  }

  @Test("After a 304 with no-store the caller gets the body, and the stored response is removed")
  func forbidding() async throws {
    let fixture = fixture([.eTag: "\"v1\""], confirming: [.cacheControl: "no-store"])
    _ = try await fixture.send(.houses())
    fixture.clock.advance(by: .seconds(60))
    let response = try await fixture.send(.houses())
    #expect(try await response.body.collect(upTo: 99) == Array("response 1".utf8))
    #expect(response.exchange.cache == .revalidated(stored: false))
    #expect(fixture.store.count == 0)
  }

  @Test("A response with no-cache is revalidated each time")
  func noCache() async throws {
    let fixture = fixture([.eTag: "\"v1\"", .cacheControl: "no-cache"])
    _ = try await fixture.send(.houses())
    for _ in 1...2 { #expect(try await fixture.send(.houses()).exchange.cache == .revalidated()) }
    #expect(fixture.server.requests.count == 3)
  }

  @Test("A 304 to an unconditional request is returned unchanged")
  func notOurs() async throws {
    let fixture = CacheFixture(status: .notModified)
    let response = try await fixture.send(.houses())
    #expect(response.status == .notModified)
    #expect(response.exchange.cache == .forwarded(.uriMiss, stored: false))
  }
}
