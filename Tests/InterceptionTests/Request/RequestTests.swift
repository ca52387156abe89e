import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("A request")
struct RequestTests {
  @Test("E1: Concurrently created requests have distinct IDs, and copies keep theirs")
  func identities() async {
    let ids = await withTaskGroup(of: [RequestID].self) { group in
      for _ in 0..<8 { group.addTask { (0..<1_000).map { _ in Request.example.id } } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(ids).count == 8_000)
    let request = Request.example
    #expect(request.asAttempt(2).id == request.id)
  }

  @Test("A further attempt starts without the values of the previous one")
  func attempts() {
    var request = Request.example
    request.context.connectTarget = ConnectTarget(address: "127.0.0.1")
    request.context.partition = "ada"
    let second = request.asAttempt(2)
    #expect(second.attempt == 2)
    #expect(second.context.connectTarget == nil)
    #expect(second.context.partition == "ada")
    #expect(request.context.connectTarget != nil)
  }

  @Test("A context has typed values with defaults")
  func context() {
    var context = RequestContext()
    #expect(context[Stamps.self] == 0)
    context[Stamps.self] = 3
    context.api = APIIdentity(service: "estate", name: "houses")
    #expect(context[Stamps.self] == 3)
    #expect(context.api?.description == "estate/houses")
    #expect(context.cacheRule == .inherited)
  }

  @Test(
    "A priority is clamped to the weights of HTTP/2", arguments: [(0, 1), (1, 1), (256, 256), (999, 256)])
  func priority(weight: Int, expected: Int) {
    #expect(RequestOptions.Priority(weight: weight).weight == expected)
  }

  @Test(
    "RFC 9110 and the draft of QUERY say which methods are safe and idempotent",
    arguments: [
      ("GET", true, true), ("HEAD", true, true), ("QUERY", true, true), ("OPTIONS", true, true),
      ("TRACE", true, true), ("PUT", false, true), ("DELETE", false, true), ("POST", false, false),
      ("PATCH", false, false), ("CONNECT", false, false), ("PURGE", false, false), ("query", false, false),
    ])
  func methods(name: String, isSafe: Bool, isIdempotent: Bool) throws {
    let method = try #require(HTTPRequest.Method(rawValue: name))
    #expect(method.isSafe == isSafe)
    #expect(method.isIdempotent == isIdempotent)
    #expect(method.isRetrieval == ["GET", "HEAD", "QUERY"].contains(name))
    var request = Request(method: method, authority: "estate.example", path: "/")
    #expect(request.isIdempotent == isIdempotent && request.permits(.resending) == isIdempotent)
    request.context.isIdempotent = !isIdempotent
    #expect(request.isIdempotent != isIdempotent)
  }

  @Test("An idempotency key is a quoted string, and makes a POST idempotent unless its context differs")
  func idempotencyKey() {
    var request = Request.example
    request.head.method = .post
    request.head.headerFields.setIdempotencyKey("8e03978e")
    #expect(request.head.headerFields.map(\.description) == ["Idempotency-Key: \"8e03978e\""])
    #expect(request.isIdempotent && request.permits(.resending))
    request.context.isIdempotent = false
    #expect(!request.isIdempotent && !request.permits(.resending))
  }

  @Test("A random identifier has the 32 lower-case hexadecimal digits of two numbers")
  func randomIdentifier() {
    for seed in 0..<100 as Range<UInt64> {
      var (random, same) = (SeededRandom(seed: seed), SeededRandom(seed: seed))
      let digits = (0..<2).map { _ in
        let half = String(same.next(), radix: 16)
        return String(repeating: "0", count: 16 - half.count) + half
      }
      #expect(RandomIdentifier.next(using: &random) == digits.joined())
    }
  }
}
