import CCurlShims
import CLibcurl
import Interception

// Ends a transfer: by libcurl's result, by a time limit, or for its caller.
extension TransferLoop {
  /// Completes the transfers that libcurl has finished.
  mutating func collectFinished() {
    while let (context, code) = unsafe multi.nextFinished() {
      let handle = unsafe Unmanaged<ReusableHandle>.fromOpaque(context).takeUnretainedValue()
      guard let transfer = handle.transfer else { continue }
      if let head = transfer.plan.upgradeHead, code == CURLE_OK, transfer.phase.fault == nil {
        beginUpgrade(transfer, head)
        continue
      }
      multi.remove(handle.easy)
      if watchesIdleConnections, code == CURLE_OK, transfer.phase.version == .http1 {
        shared.poller.rest(handle)
      }
      transfer.complete(code)
      hasFinished = true
      retire(transfer)
    }
  }

  /// Ends the transfers whose time limits were reached.
  mutating func endExpired() {
    guard let alarm = shared.alarm, alarm <= shared.now else { return }
    shared.alarm = nil
    for transfer in running.values {
      guard let next = transfer.deadlines.next else { continue }
      if next.time <= shared.now {
        end(transfer, transfer.timeout(next.phase))
      } else {
        shared.setAlarm(next)
      }
    }
    endLingering()
    endBlocked()
  }

  /// Ends requests that wait for longer than their limit of silence while the app reads none of the streams
  /// that hold their places.
  private mutating func endBlocked() {
    var blocked = BlockedRequests(at: shared.now)
    for (id, submission) in waiting {
      guard let limit = submission.plan.options.timeouts.idle else { continue }
      blocked.examine(
        id, handedOver: submission.handedOver, limit: limit, origin: submission.plan.origin
      ) { [running] origin in Self.unreadSince(origin, among: running.values) }
    }
    for id in blocked.expired { state.expire(id, .idle, &actions) }
    shared.setAlarm(blocked.nextCheck.map { .init(time: $0, phase: .idle) })
  }

  /// Since when none of the running transfers of an origin, or of all if it has none, has had a reader.
  private static func unreadSince(
    _ origin: WebOrigin, among running: Dictionary<TransferID, Transfer>.Values
  ) -> Duration? {
    let own = running.filter { $0.plan.origin == origin }
    let holders = own.isEmpty ? Array(running) : own
    let times = holders.compactMap(\.pausedAt)
    return times.count == holders.count ? times.max() : nil
  }

  /// Ends a transfer early.
  mutating func end(_ transfer: Transfer, _ error: NetworkError) {
    if transfer.phase.isLaunched {
      // Else the system would continue to send the content in its buffers.
      if transfer.isInsideContent, isAlone(transfer) { shared.poller.cut(transfer.handle) }
      if transfer.plan.upgradeHead != nil { release(transfer) } else { multi.remove(transfer.handle.easy) }
    }
    transfer.fail(error)
    retire(transfer)
  }

  /// Whether a transfer's connection carries no other, according to its own or its origin's last response.
  private func isAlone(_ transfer: Transfer) -> Bool {
    if let version = transfer.phase.version { return version == .http1 }
    return !transfer.plan.origin.mayMultiplex || state.isMultiplexed(transfer.plan.origin) == false
  }

  private mutating func retire(_ transfer: Transfer) {
    running[transfer.id] = nil
    handles.put(transfer.handle, of: transfer.plan, transfer.isolation)
    state.finish(transfer.id, port: transfer.sharedPort, hasAnswer: transfer.phase.version != nil, &actions)
  }
}
