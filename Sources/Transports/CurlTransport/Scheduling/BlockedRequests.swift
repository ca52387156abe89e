/// Finds the requests in the queue that only the app's own unread streams keep from starting.
///
/// Their limit of silence has passed, and for as long the app has read none of the running transfers. Nothing
/// else would end such a wait.
///
/// Many requests may wait for many transfers, so the transfers of an origin are examined once for all of its
/// requests, and requests that expire soon after each other are examined together.
struct BlockedRequests {
  /// The requests whose wait is over.
  private(set) var expired: [TransferID] = []
  /// When to look again; nil if no request waits that has a limit.
  private(set) var nextCheck: Duration?

  private let now: Duration
  // By origin, since when none of the transfers that hold its places has had a reader.
  private var unread: [WebOrigin: Duration?] = [:]

  /// Starts an examination.
  init(at now: Duration) { self.now = now }

  /// Examines a request that waits.
  ///
  /// - Parameters:
  ///   - handedOver: When the request was called.
  ///   - limit: Its limit of silence.
  ///   - unreadSince: Returns since when none of the transfers that hold an origin's places has had a reader;
  ///     nil if one has. Called once for each origin.
  mutating func examine(
    _ id: TransferID, handedOver: Duration, limit: Duration, origin: WebOrigin,
    unreadSince: (WebOrigin) -> Duration?
  ) {
    guard handedOver + limit <= now else { return check(at: handedOver + limit, limit) }
    if unread[origin] == nil { unread[origin] = .some(unreadSince(origin)) }
    guard let since = unread[origin] ?? nil else { return check(at: now + limit, limit) }
    if since + limit <= now { expired.append(id) } else { check(at: since + limit, limit) }
  }

  private mutating func check(at time: Duration, _ limit: Duration) {
    // At most a sixteenth of the limit late, for all requests that expire until then.
    let time = max(time, now + limit / 16)
    nextCheck = min(time, nextCheck ?? time)
  }
}
