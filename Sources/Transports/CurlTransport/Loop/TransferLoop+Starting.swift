import Interception

// Queues a request, gives it a handle, and hands it to libcurl.
extension TransferLoop {
  /// Queues a request; the state's actions start or refuse it.
  mutating func submit(_ submission: Submission) {
    let plan = submission.plan
    guard !submission.isCancelled else {
      return submission.answer(.failure(.cancelled(.task, origin: plan.origin, mayHaveBeenProcessed: false)))
    }
    waiting.receive(submission)
    state.submit(
      .init(
        id: submission.id, origin: plan.origin, priority: plan.options.priority,
        deadline: Self.queueDeadline(plan.options.timeouts, from: submission.handedOver),
        needsOwnConnection: isolation(of: plan) == .ownConnection, bytes: plan.heldBytes,
        exceedsLimits: plan.raceEntry.map { $0.number > 0 } ?? false),
      at: shared.now, &actions)
    carryOutActions()
    guard let submission = waiting.keepIncoming() else { return }
    if let limit = plan.options.timeouts.idle {
      shared.setAlarm(.init(time: submission.handedOver + limit, phase: .idle))
    }
  }

  /// The first time limit that can end waiting.
  private static func queueDeadline(
    _ limits: RequestOptions.Timeouts, from start: Duration
  ) -> DispatchState.Deadline? {
    let overall = limits.overall
    if let queue = limits.queue, queue <= overall?.limit ?? queue {
      return .init(time: start + queue, phase: .queue)
    }
    return overall.map { .init(time: start + $0.limit, phase: $0.phase) }
  }

  private func isolation(of plan: RequestPlan) -> UploadIsolation {
    // A connection that is switched to another protocol carries no other request.
    if plan.upgradeHead != nil || plan.spendsHandle { return .ownConnection }
    return UploadIsolation(for: plan, library: library, isMultiplexed: state.isMultiplexed(plan.origin))
  }

  /// Fails a request that never started.
  mutating func refuse(_ id: TransferID, _ error: (RequestPlan) -> NetworkError) {
    guard let submission = waiting.take(id) else { return }
    submission.answer(.failure(error(submission.plan)))
  }

  /// Fails a request whose time limit was reached in the queue.
  mutating func expire(_ id: TransferID, _ phase: NetworkError.Phase) {
    refuse(id) { [running] plan in
      let unread = running.unreadCount(of: plan.origin)
      return .expiredInQueue(
        phase, of: plan, unreadStreams: unread.own, ofOthers: phase == .idle ? unread.all : 0)
    }
  }

  /// Gives a request a handle, and launches it unless it has a streamed body, which is opened first.
  mutating func start(_ id: TransferID) {
    guard let submission = waiting.take(id) else { return }
    let isolation = isolation(of: submission.plan)
    guard let handle = handles.take(for: submission.plan, isolation) else {
      submission.answer(.failure(.resources(origin: submission.plan.origin, "memory for a transfer")))
      return state.finish(id, &actions)
    }
    let transfer = Transfer(
      submission, handle: handle, shared: shared, isolation: isolation, library: library)
    handle.transfer = transfer
    running.insert(transfer)
    spinning.noteStart(inFlight: running.count)
    // An entry of a race opens its body once it is connected.
    if submission.plan.raceEntry != nil || !transfer.startUpload(mailbox) { launch(transfer) }
  }

  /// Sets a transfer's options and adds it to the multi handle.
  mutating func launch(_ transfer: Transfer) {
    let handle = transfer.handle
    do throws(CurlError) {
      handle.begin()
      try handle.apply(transfer.description)
      if transfer.plan.upgradeHead != nil {
        try RawSocket.prepare(handle.easy, tunnels: transfer.plan.site.options.isProxiedByHTTP)
      }
      try multi.add(handle.easy)
      transfer.launched()
    } catch {
      let reason = "libcurl refuses the request to \(transfer.plan.origin): \(error.summary)."
      end(transfer, NetworkError(.invalidRequest, reason, underlying: error))
    }
  }
}
