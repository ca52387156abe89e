import Interception

/// The transfers of a loop that have handles, until their callers or their readers have the result.
struct RunningTransfers {
  private var transfers: [TransferID: Transfer] = [:]

  var isEmpty: Bool { transfers.isEmpty }
  var count: Int { transfers.count }

  /// The number of transfers whose callers read, or may read, the response while it comes.
  var streamCount: Int { transfers.values.count(where: \.isStreaming) }

  /// Returns the transfer of a request that runs.
  subscript(_ id: TransferID) -> Transfer? { transfers[id] }

  mutating func insert(_ transfer: Transfer) { transfers[transfer.id] = transfer }

  mutating func remove(_ id: TransferID) { transfers[id] = nil }

  /// Whether a request was sent over the connection of a local port.
  func uses(port: Int) -> Bool { port != 0 && transfers.values.contains { $0.outgoing.port == port } }

  /// Returns the transfers with a time limit that was reached, and the next limit of the others.
  func limits(
    at now: Duration
  ) -> (expired: [(Transfer, NetworkError.Phase)], next: DispatchState.Deadline?) {
    var expired: [(Transfer, NetworkError.Phase)] = []
    var earliest: DispatchState.Deadline?
    for transfer in transfers.values {
      guard let next = transfer.deadlines.next else { continue }
      if next.time <= now {
        expired.append((transfer, next.phase))
      } else if earliest.map({ next.time < $0.time }) ?? true {
        earliest = next
      }
    }
    return (expired, earliest)
  }

  /// The uploads of which libcurl may hold content.
  var heldUploads: [Transfer] { transfers.values.filter { $0.blockage.alarm != nil } }

  /// The number of transfers whose readers have no room: those of an origin, and all.
  func unreadCount(of origin: WebOrigin) -> (own: Int, all: Int) {
    let unread = transfers.values.filter { $0.pausedAt != nil }
    return (unread.count { $0.plan.origin == origin }, unread.count)
  }

  /// Since when none of the transfers of an origin, or of all if it has none, has had a reader.
  func unreadSince(_ origin: WebOrigin) -> Duration? {
    let own = transfers.values.filter { $0.plan.origin == origin }
    let holders = own.isEmpty ? Array(transfers.values) : own
    let times = holders.compactMap(\.pausedAt)
    return times.count == holders.count ? times.max() : nil
  }
}
