import Testing

@testable import WebSocketCompression
@testable import WebSockets

extension ConformanceCase {
  /// The cases of the published list that are run, in its order.
  static let published = framing + reserved + fragmentation + texts + closing + sizes + compressed
  /// All cases.
  static let all = published + additional
}

/// The cases run one after the other, because they would leave no thread to other tests.
@Suite("MessageReader by the published cases", .serialized, .timeLimit(.minutes(5)))
struct MessageReaderConformanceTests {
  @Test("Every published case is run once, or is an exception with a reason")
  func completeness() {
    let run = ConformanceCase.published.map(\.id)
    let excepted = PublishedCases.exceptions.flatMap { PublishedCases.ids(of: $0.name) }
    #expect(PublishedCases.ids.count == 517 && Set(PublishedCases.ids).count == 517)
    #expect(Set(run).count == run.count && Set(excepted).count == excepted.count)
    #expect(Set(run).isDisjoint(with: excepted))
    #expect(Set(run + excepted) == Set(PublishedCases.ids))
    for exception in PublishedCases.exceptions {
      #expect(!exception.reason.isEmpty && !PublishedCases.ids(of: exception.name).isEmpty, "\(exception)")
    }
    let additional = ConformanceCase.additional.map(\.id)
    #expect(Set(additional).count == additional.count && additional.allSatisfy { $0.hasPrefix("S.") })
  }

  @Test(
    "What a server sends is read, or refused with the code of the list",
    arguments: ConformanceCase.all.filter { $0.scope != .socket })
  func reading(entry: ConformanceCase) throws {
    let exchanges = try entry.exchanges()
    try #require(!exchanges.isEmpty && exchanges.allSatisfy { !$0.writes.isEmpty })
    var reader = MessageReader(inflater: try inflater(of: entry))
    var end: ConformanceCase.End?
    for (number, exchange) in exchanges.enumerated() {
      var replies: [Exchange.Reply] = []
      for (index, write) in exchange.writes.enumerated() where end == nil {
        reader.append(write)
        end = read(&reader, &replies)
        let isLast = number == exchanges.count - 1 && index == exchange.writes.count - 1
        if entry.isFailFast { #expect((end != nil) == isLast) }
      }
      // Pings are answered, and messages are delivered, before the server continues.
      #expect(replies == exchange.replies)
    }
    #expect((end ?? .echo) == entry.end)
    #expect(entry.end != .echo || !reader.isInsideMessage)
  }

  @Test(
    "What a client compresses is the message for a server that decompresses each by itself",
    arguments: ConformanceCase.all.filter { $0.compression != nil && $0.end == .echo })
  func sending(entry: ConformanceCase) throws {
    let compression = try #require(entry.compression)
    let deflater = try #require(MessageDeflater(minimumLength: compression.offer.minimumLength))
    for reply in try entry.exchanges().flatMap(\.replies) {
      guard case .text(let bytes) = reply else {
        guard case .binary(let bytes) = reply else { continue }
        try check(bytes, deflater)
        continue
      }
      try check(bytes, deflater)
    }
  }

  private func check(_ message: [UInt8], _ deflater: MessageDeflater) throws {
    guard let compressed = deflater.deflate(message) else { return }
    let inflater = try #require(MessageInflater(retainsContext: false))
    let bytes = try inflater.inflate(compressed[...], limit: .max)
    #expect(try bytes + inflater.finish(limit: .max) == message)
  }

  private func inflater(of entry: ConformanceCase) throws -> MessageInflater? {
    guard let compression = entry.compression else { return nil }
    let inflater = try #require(MessageInflater(retainsContext: try compression.agreement().retainsContext))
    return inflater
  }

  /// Reads what has arrived; returns how the connection ends, if it does.
  private func read(
    _ reader: inout MessageReader, _ replies: inout [Exchange.Reply]
  ) -> ConformanceCase.End? {
    do throws(ProtocolFault) {
      while let event = try reader.next() {
        switch event {
        case .message(let message): replies.append(Exchange.Reply(message))
        case .ping(let payload): replies.append(.pong(payload))
        case .pong: continue
        case .close(let closure): return .closed(closure)
        }
      }
      return nil
    } catch {
      return .failed(error.code)
    }
  }
}
