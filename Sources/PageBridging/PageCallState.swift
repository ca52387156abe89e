/// The state of a page's calls and of the replies to be sent, without the waiting and sending.
///
/// Each call that begins gets exactly one final reply, and none after it. Memory is bounded by the maximum
/// number of calls: at most one progress reply and one final reply per call wait to be sent.
struct PageCallState: Sendable {
  /// What happens to a call that arrives.
  enum Entry: Sendable, Hashable {
    case begins(serial: Int)
    case duplicate
    case busy
    case flooded
    case closed
  }

  private let limit: Int
  private var serial = 0
  /// The calls in progress; the serial distinguishes a call from a later one with the same id.
  private var serials: [String: Int] = [:]
  private var outbox: [PageReply] = []
  private(set) var isClosed = false

  init(limit: Int) { self.limit = limit }

  var count: Int { serials.count }

  func isInProgress(_ id: String, _ serial: Int) -> Bool { serials[id] == serial }

  mutating func begin(_ id: String) -> Entry {
    if isClosed { return .closed }
    // An id whose final reply still waits to be sent is also in use.
    if serials[id] != nil || outbox.contains(where: { $0.id == id }) { return .duplicate }
    if outbox.count >= 3 * limit { return .flooded }
    if serials.count >= limit { return .busy }
    serial += 1
    serials[id] = serial
    return .begins(serial: serial)
  }

  /// Replies to a call that does not begin.
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

  /// Removes and returns the next reply to send.
  mutating func next() -> PageReply? { outbox.isEmpty ? nil : outbox.removeFirst() }

  /// Discards all calls and replies.
  mutating func close() {
    isClosed = true
    serials = [:]
    outbox = []
  }
}
