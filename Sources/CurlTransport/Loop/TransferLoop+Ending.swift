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
      multi.remove(handle.easy)
      if watchesIdleConnections, code == CURLE_OK, transfer.version == .http1 { shared.poller.rest(handle) }
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
    endBlocked()
  }

  /// Ends requests that wait for longer than their limit of silence while the app reads none of the streams
  /// that hold their places: nothing else would end the wait.
  private mutating func endBlocked() {
    for (id, submission) in waiting {
      guard let limit = submission.plan.options.timeouts.idle else { continue }
      let time = submission.handedOver + limit
      if time > shared.now {
        shared.setAlarm(.init(time: time, phase: .idle))
      } else if areUnread(since: shared.now - limit, submission.plan.origin) {
        state.expire(id, .idle, &actions)
      } else {
        shared.setAlarm(.init(time: shared.now + limit, phase: .idle))
      }
    }
  }

  /// Whether the running transfers of an origin, or all if it has none, have had no reader since `time`.
  private func areUnread(since time: Duration, _ origin: WebOrigin) -> Bool {
    let own = running.values.filter { $0.plan.origin == origin }
    let holders = own.isEmpty ? Array(running.values) : own
    return !holders.isEmpty && holders.allSatisfy { $0.pausedAt.map { $0 <= time } ?? false }
  }

  /// Ends a transfer early.
  mutating func end(_ transfer: Transfer, _ error: NetworkError) {
    if transfer.isLaunched {
      // Else the system would continue to send the content in its buffers.
      if transfer.isInsideContent, isAlone(transfer) { shared.poller.cut(transfer.handle) }
      multi.remove(transfer.handle.easy)
    }
    transfer.fail(error)
    retire(transfer)
  }

  /// Whether a transfer's connection carries no other, according to its own or its origin's last response.
  private func isAlone(_ transfer: Transfer) -> Bool {
    if let version = transfer.version { return version == .http1 }
    return transfer.plan.origin.scheme == .http || state.isMultiplexed(transfer.plan.origin) == false
  }

  private mutating func retire(_ transfer: Transfer) {
    transfer.isLaunched = false
    running[transfer.id] = nil
    if transfer.isolation == .ownConnection {
      dedicated.put(transfer.handle, for: transfer.plan.origin)
    } else if transfer.handle.connections === connections {
      pool.put(transfer.handle)
    } else {
      // The network has changed; keeping the handle would keep the old connections open.
      transfer.handle.transfer = nil
    }
    state.finish(transfer.id, port: transfer.port, hasAnswer: transfer.version != nil, &actions)
  }
}
