import Interception

/// The requests of a loop that have not started.
struct WaitingSubmissions {
  // Most requests start at once, and are never inserted into the table.
  private var incoming: Submission?
  private var waiting: [TransferID: Submission] = [:]

  var count: Int { waiting.count }

  /// Holds a request while ``DispatchState`` decides about it; ``keepIncoming()`` must follow.
  mutating func receive(_ submission: Submission) { incoming = submission }

  /// Keeps the received request, unless it was taken, and returns it.
  mutating func keepIncoming() -> Submission? {
    guard let submission = incoming.take() else { return nil }
    waiting[submission.id] = submission
    return submission
  }

  /// Removes a request, because it starts or fails.
  mutating func take(_ id: TransferID) -> Submission? {
    guard let submission = incoming, submission.id == id else { return waiting.removeValue(forKey: id) }
    incoming = nil
    return submission
  }

  /// Finds the requests that wait for longer than their limit of silence while the app reads none of the
  /// streams that hold their places.
  ///
  /// - Parameter unreadSince: Returns since when none of the transfers that hold an origin's places has had a
  ///   reader; nil if one has.
  func blocked(at now: Duration, unreadSince: (WebOrigin) -> Duration?) -> BlockedRequests {
    var blocked = BlockedRequests(at: now)
    for (id, submission) in waiting {
      guard let limit = submission.plan.options.timeouts.idle else { continue }
      blocked.examine(
        id, handedOver: submission.handedOver, limit: limit, origin: submission.plan.origin,
        unreadSince: unreadSince)
    }
    return blocked
  }
}

extension DispatchState.Submission {
  /// Creates what decides when a request starts.
  init(_ submission: Submission, needsOwnConnection: Bool) {
    let plan = submission.plan
    self.init(
      id: submission.id, origin: plan.origin, priority: plan.options.priority,
      deadline: Self.deadline(plan.options.timeouts, from: submission.handedOver),
      needsOwnConnection: needsOwnConnection, bytes: plan.heldBytes,
      exceedsLimits: plan.raceEntry.map { $0.number > 0 } ?? false)
  }

  /// The first time limit that can end waiting.
  private static func deadline(
    _ limits: RequestOptions.Timeouts, from start: Duration
  ) -> DispatchState.Deadline? {
    let overall = limits.overall
    if let queue = limits.queue, queue <= overall?.limit ?? queue {
      return .init(time: start + queue, phase: .queue)
    }
    return overall.map { .init(time: start + $0.limit, phase: $0.phase) }
  }
}
