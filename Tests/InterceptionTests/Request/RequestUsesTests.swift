import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite struct RequestUsesTests {
  private static let all: [RequestUses] = [
    .sharing, .caching, .joining, .merging, .dividing, .redirecting, .coding, .queueing, .repeating, .hedging,
    .resending,
  ]

  /// A property, a change that gives it to a GET without content, and the uses that the request loses.
  struct Row: Sendable, CustomTestStringConvertible {
    let trait: RequestTrait
    let lost: RequestUses
    let change: @Sendable (inout Request) -> Void

    init(
      _ trait: RequestTrait, _ lost: RequestUses, _ change: @escaping @Sendable (inout Request) -> Void
    ) {
      (self.trait, self.lost, self.change) = (trait, lost, change)
    }

    var testDescription: String { trait.clause }
  }

  private static let rows = [
    Row(
      .upgrade, [.sharing, .caching, .joining, .merging, .dividing, .redirecting, .coding, .queueing]
    ) { $0.context.upgrade = "websocket" },
    Row(.tunnel, [.dividing, .queueing]) { $0.head.extendedConnectProtocol = "websocket" },
    Row(.trailers, [.sharing, .caching, .joining, .merging, .dividing, .queueing]) {
      $0.trailers = RequestTrailers([.eTag]) { [:] }
    },
    Row(.streamedResponse, [.sharing, .merging]) { $0.options.delivery = .streamed },
    Row(.unreadBody, [.sharing, .joining, .merging]) {
      $0.body = .restartable(length: 0) { () async throws(NetworkError) -> any ByteSource in
        ScriptedByteSource([])
      }
    },
    Row(.singleUseBody, [.repeating, .hedging, .sharing, .joining, .merging]) {
      $0.body = .once(length: 1, ScriptedByteSource([[1]]))
    },
    Row(.unknownIdentity, [.sharing, .merging]) { $0 = $0.identified(as: .unknown) },
    // A PUT is idempotent, and unsafe.
    Row(.unsafeMethod, .hedging) { $0.head.method = .put },
    Row(.nonIdempotent, [.sharing, .hedging, .resending]) { $0.context.isIdempotent = false },
    Row(.sentOnce, .resending) { $0.context.isSentOnce = true },
  ]

  @Test("Each property forbids its uses, and no other ones", arguments: rows)
  func properties(row: Row) {
    var request = Request.example
    for use in Self.all { #expect(request.permits(use)) }
    row.change(&request)
    for use in Self.all {
      let obstacle = request.obstacle(to: use)
      #expect((obstacle != nil) == row.lost.contains(use), "\(use)")
      // A body that can be read only once isn't in memory either.
      let expected: Set = row.trait == .singleUseBody ? [.singleUseBody, .unreadBody] : [row.trait]
      if let obstacle { #expect(expected.contains(obstacle)) }
    }
  }

  @Test("Every property has a row, and an obstacle is named in words of its own")
  func completeness() {
    #expect(Set(Self.rows.map(\.trait)) == Set(RequestTrait.allCases))
    #expect(Set(RequestTrait.allCases.map(\.clause)).count == RequestTrait.allCases.count)
  }

  @Test("A POST that is declared idempotent may be sent again, and not while its first attempt is in flight")
  func declared() {
    var request = Request.example
    request.head.method = .post
    #expect(request.obstacle(to: .resending) == .nonIdempotent)
    request.context.isIdempotent = true
    #expect(request.permits(.resending) && request.permits(.repeating))
    #expect(request.obstacle(to: .hedging) == .unsafeMethod)
  }
}
