import Interception

// How a request is queued, given a handle, and handed to libcurl.
extension TransferLoop {
  /// Queues a request; the state's actions start or refuse it.
  mutating func submit(_ submission: Submission) {
    let plan = submission.plan
    guard !submission.isCancelled else {
      return submission.answer(
        .failure(.cancelled(.task, origin: plan.origin, mayHaveBeenProcessed: false)))
    }
    incoming = submission
    state.submit(
      .init(
        id: submission.id, origin: plan.origin, priority: plan.options.priority,
        deadline: Self.queueDeadline(plan.options.timeouts, from: submission.handedOver),
        needsOwnConnection: isolation(of: plan) == .ownConnection, bytes: plan.heldBytes),
      at: shared.now, &actions)
    carryOutActions()
    if let submission = incoming.take() { waiting[submission.id] = submission }
  }

  /// When waiting ends, and which limit ends it.
  private static func queueDeadline(
    _ limits: RequestOptions.Timeouts, from start: Duration
  ) -> DispatchState.Deadline? {
    switch (limits.queue, limits.whole) {
    case (let queue?, let whole?) where queue <= whole: .init(time: start + queue, phase: .queue)
    case (_, let whole?): .init(time: start + whole, phase: .whole)
    case (let queue?, nil): .init(time: start + queue, phase: .queue)
    case (nil, nil): nil
    }
  }

  private func isolation(of plan: RequestPlan) -> UploadIsolation {
    UploadIsolation(for: plan, library: library, isMultiplexed: state.isMultiplexed(plan.origin))
  }

  private mutating func takeWaiting(_ id: TransferID) -> Submission? {
    guard let submission = incoming, submission.id == id else { return waiting.removeValue(forKey: id) }
    incoming = nil
    return submission
  }

  // MARK: Refusing

  /// Fails a request that never started.
  mutating func refuse(_ id: TransferID, _ error: (RequestPlan) -> NetworkError) {
    guard let submission = takeWaiting(id) else { return }
    submission.answer(.failure(error(submission.plan)))
  }

  /// Fails a request whose time limit was reached in the queue.
  mutating func expire(_ id: TransferID, _ phase: NetworkError.Phase) {
    guard let submission = takeWaiting(id) else { return }
    let plan = submission.plan
    let unread = running.values.count { $0.plan.origin == plan.origin && $0.isReceivePaused }
    submission.answer(.failure(.expiredInQueue(phase, of: plan, unreadStreams: unread)))
  }

  // MARK: Starting

  /// Gives a request a handle; a streamed body is opened before libcurl gets the handle.
  mutating func start(_ id: TransferID) {
    guard let submission = takeWaiting(id) else { return }
    let isolation = isolation(of: submission.plan)
    guard
      let handle = isolation == .ownConnection
        ? takeDedicatedHandle(for: submission.plan.origin) : takeHandle()
    else {
      submission.answer(.failure(.resources(origin: submission.plan.origin, "memory for a transfer")))
      return state.finish(id, &actions)
    }
    let transfer = Transfer(submission, handle: handle, shared: shared, isolation: isolation)
    handle.transfer = transfer
    running[id] = transfer
    if !transfer.startUpload(mailbox) { launch(transfer) }
  }

  /// Describes a transfer to libcurl and hands it over.
  mutating func launch(_ transfer: Transfer) {
    let handle = transfer.handle
    do throws(CurlError) {
      handle.begin()
      try handle.apply(transfer.description)
      try multi.add(handle.easy)
      transfer.isLaunched = true
      transfer.deadlines.launched(at: shared.now)
      shared.setAlarm(transfer.deadlines.next)
    } catch {
      end(
        transfer,
        NetworkError(
          .invalidRequest, "libcurl refuses the request to \(transfer.plan.origin): \(error.summary).",
          underlying: error))
    }
  }

  private mutating func takeHandle() -> ReusableHandle? {
    pool.take { [defaults, connections] in Self.makeHandle(defaults, connections) }
  }

  /// Returns a handle that shares its connections with no other one.
  private mutating func takeDedicatedHandle(for origin: WebOrigin) -> ReusableHandle? {
    dedicated.take(for: origin) { [dedicatedDefaults, shared] in
      ConnectionStock(shared.poller).flatMap { Self.makeHandle(dedicatedDefaults, $0) }
    }
  }

  private static func makeHandle(
    _ defaults: HandleDefaults, _ connections: ConnectionStock
  ) -> ReusableHandle? {
    guard let handle = ReusableHandle(connections) else { return nil }
    do throws(CurlError) {
      try handle.prepare(defaults)
      return handle
    } catch {
      return nil
    }
  }
}
