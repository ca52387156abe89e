import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResourceLoading

private enum Tenant: ContextKey { static let defaultValue = "" }

private struct Opaque: Sendable {}

private enum OpaqueKey: ContextKey { static let defaultValue: Opaque? = nil }

@Suite struct ResourceKeyTests {
  private static func changed(_ change: (inout Request) -> Void = { _ in }) -> Request {
    var request = Request(
      authority: "photos.example", path: "/1.png?w=2", headerFields: [.accept: "image/webp"])
    change(&request)
    return request
  }

  /// Each changes one thing on which the content may depend.
  private static let differences: [(String, @Sendable (inout Request) -> Void)] = [
    ("scheme", { $0.head.scheme = "http" }),
    ("authority", { $0.head.authority = "other.example" }),
    ("path", { $0.head.path = "/2.png?w=2" }),
    ("query", { $0.head.path = "/1.png?w=3" }),
    ("added field", { $0.head.headerFields[.authorization] = "Bearer a" }),
    ("field value", { $0.head.headerFields[.accept] = "image/png" }),
    ("partition", { $0.context.partition = "other" }),
    ("API", { $0.context.api = APIIdentity(service: "estate", name: "photo") }),
    ("other field", { $0.head.headerFields[.acceptLanguage] = "de" }),
    ("cache rule", { $0.context.cacheRule = .timed() }),
    ("context value", { $0.context[Tenant.self] = "north" }),
    ("login", { $0 = $0.identified(as: .account("ada")) }),
    ("credentials in the request", { $0 = $0.identified(as: .state(of: "cookie")) }),
  ]

  @Test("Requests on which the content may depend are different", arguments: differences.indices)
  func different(_ index: Int) throws {
    let (name, change) = Self.differences[index]
    let (key, other) = (try ResourceKey(Self.changed()), try ResourceKey(Self.changed(change)))
    #expect(key != other, "\(name)")
    #expect(try #require(key.kept) != (try #require(other.kept)), "\(name)")
    #expect(other == other)
    #expect(key.hashValue != other.hashValue, "\(name): many such rows would be compared one by one")
  }

  @Test("Loads with different limits of bytes have transfers of their own, and the same decoded value")
  func ownTransfer() throws {
    let key = try ResourceKey(Self.changed())
    let limited = try ResourceKey(Self.changed { $0.options.delivery = .buffered(upTo: 10) })
    #expect(key != limited && limited.byteLimit == 10)
    #expect(try #require(key.kept) == (try #require(limited.kept)))
  }

  /// The delivery, the limit of a stream, and the limit of both and of a loader with 1,000 bytes.
  private static let byteLimits: [(RequestOptions.Delivery, Int64?, limit: Int)] = [
    (.buffered(upTo: 10), nil, 10), (.buffered(upTo: 1000), nil, 1000), (.buffered(upTo: 1001), nil, 1000),
    (.buffered(upTo: .max), nil, 1000), (.buffered(upTo: 0), nil, 0), (.buffered(upTo: -1), nil, 0),
    (.buffered(upTo: 10), 5, 10), (.streamed, nil, 1000), (.streamed, 10, 10), (.streamed, .max, 1000),
    (.streamed, -1, 0),
  ]

  @Test("The limit is the smaller one of the request's own and the loader's", arguments: byteLimits.indices)
  func byteLimit(_ index: Int) throws {
    let (delivery, streamLimit, limit) = Self.byteLimits[index]
    let request = Self.changed {
      $0.options.delivery = delivery
      $0.options.streamLimit = streamLimit
    }
    let key = try ResourceKey(request, within: ResourceLimits(encodedBytes: 1000), among: ContextNumbers())
    #expect(key.byteLimit == limit)
  }

  @Test("The order of fields with different names changes neither equality nor the hash")
  func orderOfFields() throws {
    let names = ["A", "B", "C"].compactMap { HTTPField.Name($0) }
    let keys = try [names, names.reversed()].map { names in
      try ResourceKey(
        Self.changed { for name in names { $0.head.headerFields[name] = "1" } })
    }
    #expect(keys[0] == keys[1] && keys[0].hashValue == keys[1].hashValue)
  }

  /// Each adds 8,000 bytes to what a key keeps.
  private static let additions: [(String, @Sendable (inout Request) -> Void)] = [
    ("path", { $0.head.path = "/" + String(repeating: "a", count: 8000) }),
    ("field", { $0.head.headerFields[.authorization] = String(repeating: "a", count: 8000) }),
    ("partition", { $0.context.partition = String(repeating: "a", count: 8000) }),
    ("authority", { $0.head.authority = String(repeating: "a", count: 8000) }),
    (
      "many fields",
      { request in
        for _ in 0..<100 { request.head.headerFields.append(HTTPField(name: .cookie, value: "a=1")) }
      }
    ),
  ]

  @Test("The cost of a key has all that it keeps", arguments: additions.indices)
  func cost(_ index: Int) throws {
    let (name, change) = Self.additions[index]
    let growth = try ResourceKey(Self.changed(change)).cost - ResourceKey(Self.changed()).cost
    #expect(growth > 7900 || name == "many fields" && growth > 5000, "\(name)")
  }

  @Test("Requests that differ in case of the host, default port, limits or priority are equal")
  func equality() throws {
    let other = try ResourceKey(
      Self.changed {
        $0.head.authority = "PHOTOS.example:443"
        $0.options.priority = .low
        $0.options.timeouts.idle = .seconds(1)
        $0.options.delivery = .streamed
      })
    let key = try ResourceKey(Self.changed())
    #expect(key == other && key.hashValue == other.hashValue)
  }

  @Test("Requests on behalf of an account that is not known are all different, and nothing is kept of them")
  func unknownAccount() throws {
    let request = Self.changed().identified(as: .unknown)
    let (key, other) = (try ResourceKey(request), try ResourceKey(request))
    #expect(key != other && key == key && key.kept == nil)
  }

  /// A cache rule, whether a decoded value answers, and whether one is kept.
  private static let rules: [(CacheRule, accepts: Bool, keeps: Bool)] = [
    (.inherited, true, true), (.timed(), true, true), (.stated(), true, true), (.off, true, false),
    (.inherited.with(.reload), false, true), (.inherited.with(.revalidate), false, true),
    (.timed().with(.preferStored), true, true), (.stated().with(.onlyStored), true, true),
    (.timed().with(.noStore), true, false),
  ]

  @Test("The cache rule says whether a decoded value answers and is kept", arguments: rules.indices)
  func rule(_ index: Int) throws {
    let (rule, accepts, keeps) = Self.rules[index]
    let key = try ResourceKey(Self.changed { $0.context.cacheRule = rule })
    #expect(key.acceptsDecoded == accepts && (key.kept != nil) == keeps)
    let plain = try ResourceKey(Self.changed { $0.context.cacheRule = rule.with(.useFresh) })
    if keeps { #expect(key.kept == plain.kept, "Another mode finds the same value") }
  }

  /// Properties that forbid to share or to keep the response.
  private static let obstacles: [(RequestTrait, @Sendable (inout Request) -> Void)] = [
    (.trailers, { $0.trailers = RequestTrailers([.eTag]) { [:] } }),
    (.upgrade, { $0.context.upgrade = "websocket" }),
    (
      .unreadBody,
      {
        $0.body = .restartable(length: 0) { () async throws(NetworkError) -> any ByteSource in
          ScriptedByteSource([])
        }
      }
    ),
  ]

  @Test(
    "A request whose response can't be shared or kept is refused with the reason",
    arguments: obstacles.indices)
  func obstacle(_ index: Int) throws {
    let (trait, change) = Self.obstacles[index]
    let error = #expect(throws: NetworkError.self) { try ResourceKey(Self.changed(change)) }
    #expect(error?.kind == .invalidRequest && error?.reason.contains(trait.clause) == true)
  }

  /// Each makes a request that can't be one for a whole resource.
  private static let refusals: [(String, @Sendable (inout Request) -> Void)] = [
    ("POST", { $0.head.method = .post }), ("HEAD", { $0.head.method = .head }),
    ("content", { $0.body = .bytes([1]) }),
    ("range", { $0.head.headerFields[.range] = "bytes=0-1" }),
    ("condition", { $0.head.headerFields[.ifNoneMatch] = "\"a\"" }),
    ("date", { $0.head.headerFields[.ifModifiedSince] = "Sat, 28 Nov 2026 20:00:00 GMT" }),
    ("opaque value", { $0.context[OpaqueKey.self] = Opaque() }),
  ]

  @Test("Other requests than those for a whole resource are refused", arguments: refusals.indices)
  func refusal(_ index: Int) throws {
    let error = #expect(throws: NetworkError.self) { try ResourceKey(Self.changed(Self.refusals[index].1)) }
    #expect(error?.kind == .invalidRequest, "\(Self.refusals[index].0)")
  }
}
