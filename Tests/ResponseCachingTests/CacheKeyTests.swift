import Cryptography
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResponseCaching

@Suite struct CacheKeyTests {
  private func key(_ request: Request, _ volatile: VolatileParts = .standard) throws -> CacheKey {
    try #require(CacheKey(request, leavingOut: volatile))
  }

  @Test(
    "D3: The order of parameters is insignificant, and authorities are normalized")
  func normalised() throws {
    let base = try key(.houses("/v1/houses?city=1&page=2&city=3"))
    #expect(try key(.houses("/v1/houses?page=2&city=1&city=3")) == base)
    #expect(try key(.houses("/v1/houses?page=2&city=1&city=3", authority: "API.estate.example:443")) == base)
    #expect(base.description.count == 64)
  }

  @Test(
    "D3: Any other difference in method, target, API or account gives another key",
    arguments: [
      .houses("/v1/houses?city=3&page=2&city=1"), .houses("/v1/houses?city=1%26page=2&city=3"),
      .houses("/v1/houses?city=1&page=2&city"), .houses("/v1/houses?city=1&page=2&city="),
      .houses("/v1/houses?city=1&page=2&city=%33"), .houses("/v1/houses?city=1&page=2&city=3&"),
      .houses("/v2/houses?city=1&page=2&city=3"),
      .houses("/v1/houses?city=1&page=2&city=3", partition: "ada"),
      .houses("/v1/houses?city=1&page=2&city=3", method: .head),
      .houses("/v1/houses?city=1&page=2&city=3", api: nil),
      .houses("/v1/houses?city=1&page=2&city=3", api: APIIdentity(service: "estate", name: "houses")),
      .houses("/v1/houses?city=1&page=2&city=3", api: APIIdentity(service: "estatehouses.", name: "list")),
      .houses("/v1/houses?city=1&page=2&city=3", authority: "release.estate.example"),
      .houses("/v1/houses?city=1&page=2&city=3", authority: "api.estate.example:8443"),
    ] as [Request])
  func distinct(_ other: Request) throws {
    #expect(try key(other) != key(.houses("/v1/houses?city=1&page=2&city=3")))
  }

  @Test("Under a stated rule the key is the URI, in which the order of parameters is significant")
  func order() throws {
    func key(_ path: String, _ keepsOrder: Bool, _ volatile: VolatileParts = .standard) throws -> CacheKey {
      try #require(CacheKey(.houses(path), keepsOrder: keepsOrder, leavingOut: volatile))
    }
    #expect(try key("/order?second&first", true) != key("/order?first&second", true))
    #expect(try key("/order?second&first", true) == key("/order?second&first", true))
    #expect(try key("/order?second&first", false) == key("/order?first&second", false))
    // A response stored under one rule is not used under the other.
    #expect(try key("/order?first&second", true) != key("/order?first&second", false))
    #expect(try key("/order?b=1&a=2&a=3", true) != key("/order?a=2&b=1&a=3", true))
    // Both are removed together.
    #expect(
      try key("/order?second&first", true).subject.target == key("/order?first&second", true).subject.target)
    let volatile = VolatileParts(parameters: ["z"])
    #expect(try key("/order?z=1&b&a", true, volatile) == key("/order?b&z=2&a", true, volatile))
    #expect(try key("/order?z=1&a&b", true, volatile) == key("/order?a&b", true, volatile))
  }

  @Test("D3: Scheme, body, content type and coding are part of the key")
  func content() throws {
    let requests: [Request] = [
      .houses(method: .post), .houses(method: .post, body: .text("a")),
      .houses(method: .post, fields: [.contentType: "text/plain"], body: .text("a")),
      .houses(method: .post, fields: [.contentEncoding: "text/plain"], body: .text("a")),
    ]
    var plain = Request.houses(method: .post)
    plain.head.scheme = "http"
    let keys = try (requests + [plain]).map { try key($0) }
    #expect(Set(keys).count == 5)
  }

  @Test("D3: Fields of signing and tracing and declared parameters are left out")
  func volatile() throws {
    let volatile = VolatileParts.standard.adding(
      VolatileParts(fields: ["X-Nonce"], parameters: ["sign", "ts"]))
    let base = try key(.houses("/a?x=1"), volatile)
    #expect(try key(.houses("/a?ts=17&x=1&sign=ab"), volatile) == base)
    #expect(try key(.houses("/a?x=1&Sign=ab"), volatile) != base)
    for name in [
      "Switchyard-Signature", "switchyard-nonce", "Signature-Input", "traceparent", "X-B3-TraceId", "x-nonce",
    ] {
      #expect(volatile.contains(.named(name)), "\(name)")
    }
    #expect(!volatile.contains(.named("X-Switchyard")))
  }

  @Test("The preimage contains credentials and body as hashes only")
  func secrets() throws {
    let request = Request.houses(
      method: .post, fields: [.authorization: "Bearer hunter2", .cookie: "sid=hunter3"],
      body: .text("hunter4"))
    let text = String(decoding: try key(request).preimage, as: UTF8.self)
    #expect(!text.contains("hunter"))
    #expect(text.contains("/v1/houses"))
  }

  @Test("A request whose body is not in memory has no key")
  func streamed() {
    #expect(
      CacheKey(
        .houses(body: .restartable(length: 1) { () throws(NetworkError) in BufferedByteSource([1]) }),
        leavingOut: .standard) == nil)
  }

  /// The significant parts of a request, for comparison.
  private struct Model: Hashable {
    var partition: String
    var service: String
    var name: String
    var path: String
    var pairs: [String]
    var body: String

    var request: Request {
      .houses(
        path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")), partition: partition, method: .post,
        body: .text(body), api: APIIdentity(service: service, name: name))
    }

    /// The same for models that differ only in the order of parameters with different names.
    var canonical: Model {
      var copy = self
      func name(_ pair: String) -> Substring { pair.prefix { $0 != "=" } }
      copy.pairs = Set(pairs.map(name)).sorted().flatMap { wanted in pairs.filter { name($0) == wanted } }
      return copy
    }
  }

  @Test("Keys are equal exactly if partition, API, target and body are, for 20,000 random pairs")
  func injective() throws {
    var random = SeededRandom(seed: 42)
    // Few letters, including the separators, so that naive concatenation would collide quickly.
    func text(_ letters: [String], _ longest: Int, _ random: inout SeededRandom) -> String {
      (0..<Int.random(in: 0...longest, using: &random)).map { _ in letters.randomElement(using: &random) ?? ""
      }
      .joined()
    }
    func model(_ random: inout SeededRandom) -> Model {
      let words = ["a", "b", "/", "=", "|"]
      return Model(
        partition: text(words, 2, &random), service: text(words, 2, &random), name: text(words, 2, &random),
        path: "/" + text(["a", "/"], 1, &random),
        pairs: (0..<Int.random(in: 0...3, using: &random)).map { _ in text(["a", "b", "="], 2, &random) + "c"
        },
        body: text(words, 1, &random))
    }
    var equal = 0
    for _ in 0..<20_000 {
      let left = model(&random)
      var right = left
      switch Int.random(in: 0...6, using: &random) {
      case 0: right.pairs.shuffle(using: &random)
      case 1: (right.service, right.name) = (left.service + left.name, "")
      case 2: (right.partition, right.service) = ("", left.partition + left.service)
      case 3: right.pairs = [left.pairs.joined(separator: "&")].filter { !$0.isEmpty }
      case 4: right.body = text(["a", "b"], 1, &random)
      case 5: right.path = "/" + text(["a", "/"], 1, &random)
      default: right = model(&random)
      }
      // Joined pairs result in the same path, so the model must split them again.
      right.pairs = right.pairs.flatMap { $0.split(separator: "&").map(String.init) }
      let isSame = left.canonical == right.canonical
      equal += isSame ? 1 : 0
      // Thousands of expectations are slow, so only failures are recorded.
      if try (key(left.request) == key(right.request)) != isSame { Issue.record("\(left) \(right)") }
    }
    #expect(equal > 1_000 && equal < 19_000)
  }

  @Test("Preimages with the same hash are different keys with separate responses")
  func collision() throws {
    let first = try key(.houses("/a"))
    let second = CacheKey(digest: first.digest, preimage: first.preimage + [0], subject: first.subject)
    #expect(first != second)
    #expect(first.hashValue == second.hashValue)
    var index = CacheIndex(limits: MemoryStore.Limits())
    #expect(index.store(try .stored(under: first, body: [1]), requestFields: [:]) == true)
    #expect(index.lookup(second, requestFields: [:]).response == nil)
    #expect(index.store(try .stored(under: second, body: [2]), requestFields: [:]) == true)
    #expect(index.lookup(first, requestFields: [:]).response?.body == [1])
  }

  @Test("A key's description is the SHA-256 of its preimage")
  func name() throws {
    let key = try key(.houses("/a?x=1"))
    #expect(try key.description == HashValue(sha256: key.preimage).description)
  }

  @Test("A target written in one pass equals a sorted one")
  func onePass() throws {
    let volatile = VolatileParts(parameters: ["nothing"])
    for query in ["a=1&b=2", "b=2&a=1", "a&a=", "&&", "a=1&&b", "=1&=0", "ab=1&a=2", "a=2&ab=1", "b&a&b"] {
      // Leaving out a parameter forces the pairs to be collected and sorted.
      #expect(
        try key(.houses("/p?\(query)")).preimage == key(.houses("/p?\(query)"), volatile).preimage, "\(query)"
      )
    }
    #expect(try key(.houses("?a=1")) == key(.houses("/?a=1")))
    #expect(try key(.houses("")) == key(.houses("/")))
  }
}
