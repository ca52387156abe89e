import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import ResponseCaching

/// Parts that are stored, combined and completed (RFC 9111, sections 3.3 and 3.4).
@Suite(.timeLimit(.minutes(5))) struct StoredPartTests {
  /// A server of ten bytes, which responds to ranges and to their conditions.
  private final class Origin: Sendable {
    struct Version {
      var content = Array("0123456789".utf8)
      var tag: String? = "\"a\""
      var cacheControl = "max-age=30"
      /// Further fields, which replace those of the server.
      var fields: HTTPFields = [:]
      var ignoresConditions = false
      var isStreamed = false
      /// What replaces the content of a 206.
      var body: [UInt8]?
    }

    let version = Mutex(Version())

    func answer(_ request: Request) -> Response {
      let version = version.withLock { $0 }
      let fields = request.head.headerFields
      var head = HTTPResponse(
        status: .ok, headerFields: [.cacheControl: version.cacheControl, .contentLength: "10"])
      head.headerFields[.eTag] = version.tag
      var bytes = version.content
      let isCurrent = fields[.ifRange].map { $0 == version.tag } ?? true
      if let range = fields[.range].flatMap({ ByteRange($0) }), isCurrent || version.ignoresConditions {
        guard let bounds = range.bounds(in: bytes.count) else {
          return Response(status: .rangeNotSatisfiable, headerFields: [.contentRange: "bytes */10"])
        }
        bytes = version.body ?? Array(bytes[bounds])
        head.status = .partialContent
        head.headerFields[.contentLength] = String(bounds.count)
        head.headerFields[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/10"
      }
      for field in version.fields { head.headerFields[field.name] = field.value.isEmpty ? nil : field.value }
      return version.isStreamed
        ? Response(
          head, body: .stream(BodyStream(length: nil, ScriptedByteSource(bytes.map { [$0] }))))
        : Response(head, body: .bytes(bytes))
    }
  }

  private let origin = Origin()
  private let fixture: CacheFixture

  init() {
    fixture = CacheFixture { [origin] request, _ throws(NetworkError) in origin.answer(request) }
  }

  private func get(
    _ range: String? = nil, partition: String = "ann", fields: HTTPFields = [:],
    mode: CacheRule.Mode = .useFresh,
    delivery: RequestOptions.Delivery? = nil
  ) -> Request {
    var fields = fields
    fields[.range] = range
    var request = Request.houses(rule: .stated().with(mode), partition: partition, fields: fields, api: nil)
    if let delivery { request.options.delivery = delivery }
    return request
  }

  private var requestCount: Int { fixture.server.requests.count }

  /// Sends a request, reads the response, and returns it with its text.
  private func send(_ request: Request) async throws -> (response: Response, text: String) {
    let response = try await fixture.send(request)
    return (response, String(decoding: try await response.body.collect(upTo: 99), as: UTF8.self))
  }

  @Test(
    "A part is stored, and answers requests for a range within it",
    arguments: [
      ("bytes=2-5", "2345", true), ("bytes=3-4", "34", true), ("bytes=2-2", "2", true),
      ("bytes=5-5", "5", true), ("bytes=1-3", "123", false), ("bytes=4-", "456789", false),
      ("bytes=-5", "56789", false), ("bytes=0-9", "0123456789", false), ("bytes=4-6", "456", false),
    ] as [(String, String, Bool)], [false, true])
  func within(_ wanted: (range: String, text: String, isHit: Bool), isStreamed: Bool) async throws {
    let (range, text, isHit) = wanted
    origin.version.withLock { $0.isStreamed = isStreamed }
    #expect(try await send(get("bytes=2-5")).response.exchange.cache?.isHit == false)
    let (response, content) = try await send(get(range))
    #expect(content == text)
    #expect(response.status == .partialContent)
    #expect(response.head.headerFields[.contentLength] == String(text.utf8.count))
    if isHit {
      #expect(response.exchange.cache == .hit(ttl: 30))
      #expect(response.head.headerFields[.contentRange]?.hasSuffix("/10") == true)
      #expect(response.head.headerFields[.eTag] == "\"a\"")
    } else {
      #expect(response.exchange.cache == .forwarded(.partial, stored: !isStreamed))
    }
  }

  @Test(
    "The end of the content is part of what a suffix selects",
    arguments: [("bytes=-3", "789"), ("bytes=7-", "789"), ("bytes=8-99", "89"), ("bytes=-1", "9")])
  func suffix(_ range: String, text: String) async throws {
    _ = try await send(get("bytes=6-9"))
    let (response, content) = try await send(get(range))
    #expect(content == text)
    #expect(response.exchange.cache == .hit(ttl: 30))
  }

  @Test(
    "Parts that touch or overlap are combined, and are the whole once nothing is missing",
    arguments: [
      (["bytes=0-4", "bytes=5-9"], "0123456789"), (["bytes=5-9", "bytes=0-4"], "0123456789"),
      (["bytes=0-6", "bytes=3-9"], "0123456789"), (["bytes=2-3", "bytes=4-5", "bytes=0-9"], "0123456789"),
      (["bytes=2-3", "bytes=4-5", "bytes=-4", "bytes=0-1"], "0123456789"),
    ])
  func combined(_ ranges: [String], text: String) async throws {
    for range in ranges {
      #expect(try await send(get(range)).response.exchange.cache?.isHit == false)
    }
    #expect(requestCount == ranges.count)
    let (response, content) = try await send(get())
    #expect(content == text)
    #expect(response.status == .ok)
    #expect(response.exchange.cache == .hit(ttl: 30))
    #expect(response.head.headerFields[.contentLength] == "10")
    #expect(response.head.headerFields[.contentRange] == nil)
    #expect(fixture.store.count == 1)
  }

  @Test("Of parts with a gap between them the newer one is kept")
  func gap() async throws {
    _ = try await send(get("bytes=0-1"))
    _ = try await send(get("bytes=5-6"))
    #expect(try await send(get("bytes=5-6")).response.exchange.cache == .hit(ttl: 30))
    #expect(try await send(get("bytes=0-1")).response.exchange.cache == .forwarded(.partial, stored: true))
  }

  @Test(
    "Parts of different versions, and parts without a strong tag, are never combined",
    arguments: [("\"a\"", "\"b\""), ("W/\"a\"", "W/\"a\""), ("\"a\"", "W/\"a\""), (nil, nil), ("\"a\"", nil)]
      as [(String?, String?)])
  func versions(_ first: String?, second: String?) async throws {
    origin.version.withLock { $0.tag = first }
    _ = try await send(get("bytes=0-4"))
    origin.version.withLock { ($0.tag, $0.content) = (second, Array("abcdefghij".utf8)) }
    #expect(try await send(get("bytes=5-9")).text == "fghij")
    #expect(try await send(get("bytes=5-9")).text == "fghij")
    #expect(try await send(get()).text == "abcdefghij")
    #expect(try await send(get("bytes=0-4")).text == "abcde")
  }

  @Test("Parts whose common bytes differ are not combined, whatever their tag says")
  func contradiction() async throws {
    _ = try await send(get("bytes=0-5"))
    origin.version.withLock { $0.content = Array("abcdefghij".utf8) }
    _ = try await send(get("bytes=4-9"))
    #expect(try await send(get("bytes=5-9")).text == "fghij")
    #expect(try await send(get("bytes=0-1")).text == "ab")
  }

  @Test(
    "A part that contradicts itself, or may not be stored, is passed on and not stored",
    arguments: [
      [.contentRange: "bytes 2-9/10"], [.contentRange: "bytes 2-5/4"], [.contentRange: "bytes 5-2/10"],
      [.contentRange: "bytes 2-5/*"], [.contentRange: "items 2-5/10"], [.contentRange: ""],
      [.contentLength: "5"], [.contentLength: ""], [.cacheControl: "no-store, max-age=30"],
      [.cacheControl: "max-age=0"], [.cacheControl: "must-understand, max-age=30"], [.vary: "*"],
      [.cacheControl: "", .lastModified: "Sat, 05 Nov 1994 08:49:37 GMT"],
      [.contentType: "multipart/byteranges; boundary=a", .contentRange: ""],
    ] as [HTTPFields])
  func refused(_ fields: HTTPFields) async throws {
    origin.version.withLock { $0.fields = fields }
    for _ in 1...2 {
      let (response, text) = try await send(get("bytes=2-5"))
      #expect(text == "2345")
      #expect(response.exchange.cache == .forwarded(.uriMiss, stored: false))
    }
    #expect(fixture.store.count == 0)
  }

  @Test("A part that is shorter than its range is not stored")
  func short() async throws {
    origin.version.withLock { $0.body = [1, 2] }
    #expect(
      try await send(get("bytes=2-5")).response.exchange.cache == .forwarded(.uriMiss, stored: false))
  }

  @Test("A 206 to a request without a range is not stored, and completes nothing")
  func unasked() async throws {
    let fixture = CacheFixture { _, _ throws(NetworkError) in
      Response(
        status: .partialContent,
        headerFields: [.cacheControl: "max-age=30", .contentRange: "bytes 0-1/10", .contentLength: "2"],
        bytes: [1, 2])
    }
    #expect(try await fixture.send(get()).exchange.cache == .forwarded(.uriMiss, stored: false))
    #expect(fixture.store.count == 0)
  }

  @Test(
    "A request for the whole fetches only the rest of a stored part, of the same version",
    arguments: [("bytes=0-3", "bytes=4-"), ("bytes=-3", "bytes=0-6"), ("bytes=0-8", "bytes=9-")]
      as [(String, String)],
    [(false, false), (false, true), (true, true)] as [(Bool, Bool)])
  func completed(_ ranges: (stored: String, rest: String), streams: (first: Bool, second: Bool)) async throws
  {
    let (range, rest) = ranges
    origin.version.withLock { $0.isStreamed = streams.first }
    _ = try await send(get(range))
    origin.version.withLock { $0.isStreamed = streams.second }
    let (response, text) = try await send(get())
    #expect(text == "0123456789")
    #expect(response.status == .ok)
    #expect(response.head.headerFields[.contentLength] == "10")
    #expect(response.head.headerFields[.contentRange] == nil)
    #expect(response.exchange.cache == .forwarded(.partial, stored: !streams.second))
    #expect(fixture.server.requests.last?.head.headerFields[.range] == rest)
    #expect(fixture.server.requests.last?.head.headerFields[.ifRange] == "\"a\"")
    #expect(try await send(get()).response.exchange.cache == .hit(ttl: 30))
    #expect(requestCount == 2)
  }

  @Test(
    "A part of another version is never completed: the whole comes from the server",
    arguments: [false, true], [false, true])
  func changed(ignoresConditions: Bool, isStreamed: Bool) async throws {
    _ = try await send(get("bytes=0-3"))
    origin.version.withLock {
      $0.tag = "\"b\""
      $0.content = Array("abcdefghij".utf8)
      $0.ignoresConditions = ignoresConditions
      $0.isStreamed = isStreamed
    }
    #expect(try await send(get()).text == "abcdefghij")
    #expect(requestCount == (ignoresConditions ? 3 : 2))
    let (response, text) = try await send(get("bytes=0-3"))
    #expect(text == "abcd")
    #expect(response.exchange.cache == .hit(ttl: 30))
  }

  @Test(
    "A rest that isn't the one that was asked for is not used",
    arguments: [
      [.contentRange: "bytes 3-9/10"], [.contentRange: "bytes 4-9/11"], [.contentRange: "bytes 4-8/10"],
      [.eTag: ""], [.eTag: "W/\"a\""], [.contentLength: ""],
    ] as [HTTPFields])
  func wrongRest(_ fields: HTTPFields) async throws {
    let fixture = CacheFixture { [origin] request, number throws(NetworkError) in
      var response = origin.answer(request)
      if number == 2 {
        for field in fields {
          response.head.headerFields[field.name] = field.value.isEmpty ? nil : field.value
        }
      }
      return response
    }
    _ = try await fixture.send(get("bytes=0-3"))
    #expect(try await fixture.text(get()) == "0123456789")
    #expect(fixture.server.requests.count == 3)
    #expect(fixture.server.requests.last?.head.headerFields[.range] == nil)
  }

  @Test("A rest that is refused with 416, or that ends early, doesn't become a whole")
  func endedRest() async throws {
    let refusing = CacheFixture { [origin] request, number throws(NetworkError) in
      number == 2 ? Response(status: .rangeNotSatisfiable) : origin.answer(request)
    }
    _ = try await refusing.send(get("bytes=0-3"))
    #expect(try await refusing.text(get()) == "0123456789")
    origin.version.withLock { $0.isStreamed = true }
    _ = try await send(get("bytes=0-3"))
    origin.version.withLock { $0.body = Array("45".utf8) }
    await #expect(throws: NetworkError.self) { try await send(get()) }
    origin.version.withLock { $0.body = Array("4567899".utf8) }
    await #expect(throws: NetworkError.self) { try await send(get()) }
    origin.version.withLock { $0.body = nil }
    #expect(try await send(get()).text == "0123456789")
  }

  @Test("A part in the middle, and one without a strong tag, is not completed", arguments: [nil, "W/\"a\""])
  func incomplete(_ tag: String?) async throws {
    _ = try await send(get("bytes=2-4"))
    #expect(try await send(get()).text == "0123456789")
    #expect(fixture.server.requests.last?.head.headerFields[.range] == nil)
    await fixture.cache.removeAll()
    origin.version.withLock { $0.tag = tag }
    _ = try await send(get("bytes=0-4"))
    #expect(try await send(get()).response.exchange.cache == .forwarded(.partial, stored: true))
    #expect(fixture.server.requests.last?.head.headerFields[.range] == nil)
  }

  @Test(
    "A part is never used as the whole, in any mode, nor for another account",
    arguments: CacheRule.Mode.allCases)
  func partialOnly(_ mode: CacheRule.Mode) async throws {
    _ = try await send(get("bytes=0-4"))
    #expect(fixture.cache.storedState(for: get()) == .absent)
    if mode == .onlyStored {
      await #expect(throws: NetworkError.self) { try await send(get(mode: mode)) }
      #expect(try await send(get("bytes=0-4", mode: mode)).text == "01234")
      await #expect(throws: NetworkError.self) { try await send(get("bytes=0-5", mode: mode)) }
    } else {
      #expect(try await send(get(mode: mode)).text == "0123456789")
    }
    #expect(try await send(get("bytes=0-4", partition: "bob")).response.exchange.cache?.isHit == false)
  }

  @Test("A request with only-if-cached gets a 504 for the whole, and for what the part doesn't have")
  func onlyIfCached() async throws {
    _ = try await send(get("bytes=0-4"))
    let only: HTTPFields = [.cacheControl: "only-if-cached"]
    #expect(try await send(get("bytes=1-2", fields: only)).text == "12")
    for range in ["bytes=1-6", nil] {
      #expect(try await send(get(range, fields: only)).response.status == .gatewayTimeout)
    }
    #expect(requestCount == 1)
  }

  @Test("A whole that a newer part confirms stays whole, and a part of a newer version replaces it")
  func whole() async throws {
    _ = try await send(get())
    fixture.clock.advance(by: .seconds(30))
    #expect(try await send(get("bytes=0-4")).response.exchange.cache == .forwarded(.stale, stored: true))
    #expect(try await send(get()).response.exchange.cache == .hit(ttl: 30))
    fixture.clock.advance(by: .seconds(30))
    origin.version.withLock { ($0.tag, $0.content) = ("\"b\"", Array("abcdefghij".utf8)) }
    #expect(try await send(get("bytes=0-4")).text == "abcde")
    #expect(try await send(get("bytes=0-4")).response.exchange.cache == .hit(ttl: 30))
    #expect(try await send(get(mode: .preferStored)).text == "abcdefghij")
  }

  @Test("A complete response is not replaced by a part of an unknown version")
  func unknownVersion() async throws {
    _ = try await send(get())
    fixture.clock.advance(by: .seconds(30))
    origin.version.withLock { $0.tag = nil }
    #expect(try await send(get("bytes=0-4")).response.exchange.cache == .forwarded(.stale, stored: false))
    #expect(try await send(get(mode: .onlyStored)).text == "0123456789")
  }

  @Test("A mutation, and the removal of the account, removes parts, also one that is in flight")
  func removed() async throws {
    _ = try await send(get("bytes=0-4"))
    await fixture.cache.wipe(partition: "ann")
    #expect(fixture.store.count == 0)
    _ = try await send(get("bytes=0-4"))
    _ = try await fixture.send(.houses(rule: .stated(), partition: "ann", method: .put, api: nil))
    #expect(fixture.store.count == 0)
    let wiping = ScriptedDispatcher { request, _ throws(NetworkError) in
      await fixture.cache.wipe(partition: "ann")
      return origin.answer(request)
    }
    let response = try await wiping.intercepted(by: fixture.cache).dispatch(get("bytes=0-4"))
    #expect(response.exchange.cache == .forwarded(.uriMiss, stored: false))
    #expect(fixture.store.count == 0)
  }

  @Test("A whole that is completed is not longer than the request allows")
  func limit() async throws {
    _ = try await send(get("bytes=0-4"))
    await #expect(throws: NetworkError.self) {
      try await fixture.send(get(delivery: .buffered(upTo: 9)))
    }
    await #expect(throws: NetworkError.self) {
      try await fixture.send(get("bytes=0-4", delivery: .buffered(upTo: 4)))
    }
  }
}
