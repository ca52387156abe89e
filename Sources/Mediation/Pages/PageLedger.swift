/// The calls of a page and the replies on their way to it: the rules, without the waiting.
///
/// Each call that begins gets exactly one last reply, and none after it. Memory is bounded by the limit of
/// calls: of each call at most one progress and one last reply wait to be sent.
struct PageLedger: Sendable {
  /// What becomes of a call that arrives.
  enum Entry: Sendable, Hashable {
    case begins(serial: Int)
    case duplicate
    case busy
    case flooded
    case closed
  }

  private let limit: Int
  private var serial = 0
  /// The calls under way; the serial tells a call from a later one of the same id.
  private var serials: [String: Int] = [:]
  private var outbox: [PageReply] = []
  private(set) var isClosed = false

  init(limit: Int) { self.limit = limit }

  var count: Int { serials.count }

  func isUnderWay(_ id: String, _ serial: Int) -> Bool { serials[id] == serial }

  mutating func begin(_ id: String) -> Entry {
    if isClosed { return .closed }
    // An id whose last reply still waits to be sent is not free either.
    if serials[id] != nil || outbox.contains(where: { $0.id == id }) { return .duplicate }
    if outbox.count >= 3 * limit { return .flooded }
    if serials.count >= limit { return .busy }
    serial += 1
    serials[id] = serial
    return .begins(serial: serial)
  }

  /// Answers a call that does not begin.
  mutating func refuse(_ id: String, _ failure: PageFailure) {
    outbox.append(PageReply(id: id, event: .failure(failure)))
  }

  mutating func report(_ id: String, _ serial: Int, _ value: PageValue) {
    guard serials[id] == serial else { return }
    let reply = PageReply(id: id, event: .progress(value))
    if let waiting = outbox.firstIndex(where: { $0.id == id }) {
      outbox[waiting] = reply
    } else {
      outbox.append(reply)
    }
  }

  mutating func end(_ id: String, _ serial: Int, _ event: PageReply.Event) {
    guard serials[id] == serial else { return }
    serials[id] = nil
    outbox.append(PageReply(id: id, event: event))
  }

  /// The next reply to send.
  mutating func next() -> PageReply? { outbox.isEmpty ? nil : outbox.removeFirst() }

  /// Forgets all calls and all replies.
  mutating func close() {
    isClosed = true
    serials = [:]
    outbox = []
  }
}
