import HTTPTypes
import Interception
import Testing

@testable import ResponseCaching

@Suite struct RemovalLedgerTests {
  /// What is noted between the beginning and the end of a read or a request.
  enum Event {
    case removal(CacheSelection)
    case execution(CacheSelection)
  }

  private static let key = CacheKey(.houses(partition: "ada"), leavingOut: .standard)
  private static let other = CacheKey(.houses("/v1/houses/9", partition: "ada"), leavingOut: .standard)
  private static let api = APIIdentity(service: "estate", name: "houses.list")

  /// The selections, and whether each one concerns the response.
  private static var selections: [(CacheSelection, Bool)] {
    get throws {
      let (key, other) = (try #require(key), try #require(other))
      return [
        (.all, true), (.partition("ada"), true), (.partition("bob"), false), (.service("estate"), true),
        (.service("shop"), false), (.api(api), true),
        (.api(APIIdentity(service: "estate", name: "x")), false),
        (.tags(["houses"]), true), (.tags(["flats"]), false), (.target(key.subject.target), true),
        (.target(other.subject.target), false), (.subject(key.subject), true), (.key(key), true),
        (.key(other), false),
      ]
    }
  }

  private func response() throws -> StoredResponse {
    let head = HTTPResponse(status: .ok)
    return StoredResponse(
      key: try #require(Self.key),
      selector: try #require(VariantSelector(of: head, to: [:], leavingOut: .standard)), head: head, body: [],
      trailers: nil,
      freshness: Freshness(
        received: CacheInstant(wall: CacheFixture.start, steady: .zero), initialAge: .zero,
        lifetime: .seconds(60)), tags: ["houses"])
  }

  @Test("What was read is used and copied only if no executed change concerns it")
  func reads() throws {
    let response = try response()
    for (selection, isConcerned) in try Self.selections {
      for (events, isUsed) in [
        ([], true), ([.removal(selection)], true), ([.execution(selection)], !isConcerned),
        ([.removal(selection), .execution(selection)], !isConcerned),
      ] as [([Event], Bool)] {
        let ledger = RemovalLedger()
        // What was noted before the read doesn't count.
        ledger.noteExecuted(selection)
        let mark = ledger.readMark
        for event in events { apply(event, to: ledger) }
        var isCopied = false
        #expect(ledger.isCurrent(response, since: mark) { isCopied = true } == isUsed, "\(selection)")
        #expect(isCopied == isUsed, "\(selection)")
      }
    }
  }

  @Test("What was requested is stored only if no removal that was noted concerns it")
  func requests() throws {
    let response = try response()
    for (selection, isConcerned) in try Self.selections {
      for (events, isStored) in [
        ([], true), ([.removal(selection)], !isConcerned), ([.execution(selection)], true),
        ([.removal(selection), .execution(selection)], !isConcerned),
      ] as [([Event], Bool)] {
        let ledger = RemovalLedger()
        _ = ledger.note(selection)
        let mark = ledger.mark
        for event in events { apply(event, to: ledger) }
        let pending = ledger.begin(response, since: mark)
        #expect((pending != nil) == isStored, "\(selection)")
        #expect(ledger.hasCleared(response.key, tags: response.tags, since: mark) == !isStored)
        guard let pending else { continue }
        // While it is being stored, a removal waits for it.
        #expect(ledger.note(selection).contains { $0 === pending } == isConcerned, "\(selection)")
        ledger.end(pending)
        #expect(ledger.note(selection).isEmpty)
      }
    }
  }

  private func apply(_ event: Event, to ledger: RemovalLedger) {
    switch event {
    case .removal(let selection): _ = ledger.note(selection)
    case .execution(let selection): ledger.noteExecuted(selection)
    }
  }
}
