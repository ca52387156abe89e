import Interception
import Testing

@Suite("A request's context")
struct RequestContextTests {
  /// A change of one value, and whether a context has it.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (inout RequestContext) -> Void
    let isApplied: @Sendable (RequestContext) -> Bool

    init(
      _ name: String, _ apply: @escaping @Sendable (inout RequestContext) -> Void,
      _ isApplied: @escaping @Sendable (RequestContext) -> Bool
    ) {
      testDescription = name
      self.apply = apply
      self.isApplied = isApplied
    }
  }

  static let changes = [
    Change("API", { $0.api = APIIdentity(service: "estate", name: "houses") }, { $0.api != nil }),
    Change("cache rule", { $0.cacheRule = .timed() }, { $0.cacheRule != .inherited }),
    Change("cache tags", { $0.cacheTags = ["houses"] }, { !$0.cacheTags.isEmpty }),
    Change("storage check", { $0.storageCheck = .init { _, _ in true } }, { $0.storageCheck != nil }),
    Change("partition", { $0.partition = "ada" }, { $0.partition == "ada" }),
    Change(
      "connect target", { $0.connectTarget = ConnectTarget(address: "127.0.0.1") },
      { $0.connectTarget != nil }),
    Change("HTTPS record", { $0.http3RecordPort = 443 }, { $0.http3RecordPort == 443 }),
    Change(
      "credential fields", { $0.credentialFields = ["X-Shop-Key"] }, { !$0.credentialFields.isUsual }),
    Change("origin", { $0.hasLeftOrigin = true }, { $0.hasLeftOrigin }),
    Change("key", { $0[Stamps.self] = 3 }, { $0[Stamps.self] == 3 }),
    Change("key of an attempt", { $0[Tries.self] = 3 }, { $0[Tries.self] == 3 }),
  ]

  @Test("A change of a copy leaves the original and new contexts unchanged", arguments: changes)
  func copies(change: Change) {
    let original = RequestContext()
    var copy = original
    change.apply(&copy)
    #expect(change.isApplied(copy))
    #expect(!change.isApplied(original))
    #expect(!change.isApplied(RequestContext()))
  }

  @Test("A change keeps all other values", arguments: changes)
  func otherValues(change: Change) {
    var context = RequestContext()
    for other in Self.changes { other.apply(&context) }
    let original = context
    change.apply(&context)
    for other in Self.changes {
      #expect(other.isApplied(context), "\(other.testDescription)")
      #expect(other.isApplied(original), "\(other.testDescription)")
    }
  }

  @Test("A further attempt loses the values of an attempt, and the previous attempt keeps them")
  func attempts() {
    var request = Request.example
    for change in Self.changes { change.apply(&request.context) }
    let second = request.asAttempt(2)
    #expect(second.context[Tries.self] == 0)
    #expect(second.context[Stamps.self] == 3)
    #expect(second.context.connectTarget == nil)
    #expect(second.context.http3RecordPort == nil)
    #expect(request.context[Tries.self] == 3)
    #expect(request.context.connectTarget != nil)
    #expect(request.context.http3RecordPort == 443)
  }
}

/// A value that is kept until the next attempt.
private enum Tries: AttemptContextKey {
  static let defaultValue = 0
}
