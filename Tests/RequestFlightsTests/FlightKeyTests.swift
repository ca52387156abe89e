import HTTPTypes
import Interception
import Testing

@testable import RequestFlights

private enum Tenant: ContextKey { static let defaultValue = "" }

/// A value that can't be compared.
private struct Opaque: Sendable {}

private enum OpaqueKey: ContextKey { static let defaultValue: Opaque? = nil }

@Suite struct FlightKeyTests {
  private static func key(
    _ request: Request, ignoring names: [String] = ["traceparent"]
  ) -> FlightKey? { FlightKey(request) { names.contains($0.canonicalName) } }

  private static let example = Request(
    authority: "estate.example", path: "/houses?page=1", headerFields: [.accept: "application/json"])

  private static func changed(_ change: (inout Request) -> Void) -> Request {
    var request = Request(example.head)
    change(&request)
    return request
  }

  @Test(
    "GET, HEAD and QUERY can be shared, other methods can't",
    arguments: [
      ("GET", true), ("HEAD", true), ("QUERY", true), ("POST", false), ("PUT", false), ("DELETE", false),
      ("PATCH", false), ("OPTIONS", false), ("TRACE", false), ("get", false), ("PURGE", false),
    ])
  func methods(_ name: String, _ isShared: Bool) throws {
    let method = try #require(HTTPRequest.Method(name))
    #expect((Self.key(Self.changed { $0.head.method = method }) != nil) == isShared)
  }

  @Test("Fields whose bytes differ are different, although their strings are the same")
  func opaqueFields() {
    func key(_ value: [UInt8]) -> FlightKey? {
      Self.key(Self.changed { $0.head.headerFields.append(HTTPField(name: .acceptLanguage, value: value)) })
    }
    #expect(key([0xE9]) != nil && key([0xE9]) == key([0xE9]))
    #expect(key([0xE9]) != key([0xE8]))
    #expect(key(Array("\u{E9}".utf8)) != key(Array("e\u{301}".utf8)))
  }

  @Test("A streamed response and a body that isn't in memory are not shared")
  func exceptions() {
    #expect(Self.key(Self.changed { $0.options.delivery = .streamed }) == nil)
    let body = RequestBody.restartable(length: nil) { () throws(NetworkError) in
      throw NetworkError(.transport, "Never opened.")
    }
    #expect(Self.key(Self.changed { $0.body = body }) == nil)
  }

  @Test("Requests with other IDs and priorities, and with other values of ignored fields, are equal")
  func equal() throws {
    let ignored = try #require(HTTPField.Name("traceparent"))
    let other = Self.changed {
      $0.options.priority = .low
      $0.head.headerFields[ignored] = "00-1-2-00"
    }
    #expect(other.id != Self.example.id)
    #expect(Self.key(other) == Self.key(Self.example))
    #expect(Self.key(other)?.hashValue == Self.key(Self.example)?.hashValue)
    #expect(Self.key(other, ignoring: []) != Self.key(Self.example, ignoring: []))
  }

  /// Each changes one thing that the server or an interceptor may act on.
  private static let differences: [(String, @Sendable (inout Request) -> Void)] = [
    ("method", { $0.head.method = .head }),
    ("scheme", { $0.head.scheme = "http" }),
    ("authority", { $0.head.authority = "other.example" }),
    ("path", { $0.head.path = "/flats?page=1" }),
    ("query", { $0.head.path = "/houses?page=2" }),
    ("added field", { $0.head.headerFields[.authorization] = "Bearer a" }),
    ("field value", { $0.head.headerFields[.accept] = "text/html" }),
    ("range", { $0.head.headerFields[.range] = "bytes=0-1" }),
    ("body", { $0.body = .bytes([1]) }),
    ("attempt", { $0 = $0.asAttempt(2) }),
    ("timeout", { $0.options.timeouts.whole = .seconds(1) }),
    ("limit", { $0.options.delivery = .buffered(upTo: 1) }),
    ("partition", { $0.context.partition = "other" }),
    ("API", { $0.context.api = APIIdentity(service: "estate", name: "houses") }),
    ("cache rule", { $0.context.cacheRule = .timed() }),
    ("cache mode", { $0.context.cacheRule = .off.with(.reload) }),
    ("cache tags", { $0.context.cacheTags = ["houses"] }),
    ("storage check", { $0.context.storageCheck = CacheRule.StorageCheck { _, _ in true } }),
    ("connect target", { $0.context.connectTarget = ConnectTarget(address: "203.0.113.1") }),
  ]

  @Test("Requests that differ in one thing are different", arguments: differences.map(\.0))
  func different(_ name: String) throws {
    let difference = try #require(Self.differences.first { $0.0 == name })
    #expect(Self.key(Self.changed(difference.1)) != Self.key(Self.example))
    #expect(Self.key(Self.changed(difference.1)) == Self.key(Self.changed(difference.1)))
  }

  @Test("The order of header fields is insignificant, that of values of one field is significant")
  func fieldOrder() {
    func key(_ fields: HTTPFields) -> FlightKey? {
      Self.key(Self.changed { $0.head.headerFields = fields })
    }
    #expect(
      key([.accept: "a", .userAgent: "b"]) == key([.userAgent: "b", .accept: "a"]))
    #expect(key([.accept: "a", .accept: "b"]) != key([.accept: "b", .accept: "a"]))
  }

  @Test("Custom context values are compared, and those that aren't Equatable are never the same")
  func customValues() {
    func context(_ change: (inout RequestContext) -> Void) -> RequestContext {
      var context = RequestContext()
      change(&context)
      return context
    }
    let north = context { $0[Tenant.self] = "north" }
    #expect(RequestContext().hasSameCustomValues(as: RequestContext()))
    #expect(north.hasSameCustomValues(as: context { $0[Tenant.self] = "north" }))
    #expect(!north.hasSameCustomValues(as: context { $0[Tenant.self] = "south" }))
    #expect(!north.hasSameCustomValues(as: RequestContext()))
    #expect(!RequestContext().hasSameCustomValues(as: north))
    let opaque = context { $0[OpaqueKey.self] = Opaque() }
    #expect(!opaque.hasSameCustomValues(as: opaque))
  }

  // MARK: A target of the owner's

  private static func owned(_ request: Request, target: [UInt8] = [1, 2], digest: Int = 7) -> FlightKey? {
    FlightKey(request, for: target, digest: digest) { $0.canonicalName == "traceparent" }
  }

  @Test("A target of the owner's is compared instead of the request's own")
  func ownedTarget() throws {
    let key = try #require(Self.owned(Self.example))
    let other = Self.changed {
      $0.head.method = .post
      $0.head.path = "/houses?page=1&nonce=2"
      $0.context[OpaqueKey.self] = Opaque()
    }
    #expect(Self.owned(other) == key)
    #expect(Self.owned(Self.example, target: [1, 3]) != key)
    #expect(Self.owned(Self.changed { $0.head.headerFields[.accept] = "text/html" }) != key)
    #expect(Self.owned(Self.changed { $0.head.headerFields[.authorization] = "Bearer b" }) != key)
    #expect(Self.owned(Self.changed { $0.options.timeouts.whole = .seconds(1) }) != key)
    #expect(Self.owned(Self.changed { $0.context.cacheRule = .timed() }) != key)
    #expect(Self.owned(Self.changed { $0.options.delivery = .streamed }) == nil)
  }
}
