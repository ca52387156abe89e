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
      spinning.noteResponse()
      retire(transfer)
    }
  }

  /// Ends the transfers whose time limits were reached.
  mutating func endExpired() {
    guard let alarm = shared.alarm, alarm <= shared.now else { return }
    shared.alarm = nil
    let (expired, next) = running.limits(at: shared.now)
    shared.setAlarm(next)
    for (transfer, phase) in expired { end(transfer, transfer.timeout(phase)) }
    endLingering()
    endBlocked()
  }

  /// Ends requests that wait for longer than their limit of silence while the app reads none of the streams
  /// that hold their places.
  private mutating func endBlocked() {
    let blocked = waiting.blocked(at: shared.now) { [running] in running.unreadSince($0) }
    for id in blocked.expired { state.expire(id, .idle, &actions) }
    shared.setAlarm(blocked.nextCheck.map { .init(time: $0, phase: .idle) })
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
    running.remove(transfer.id)
    handles.put(transfer.handle, of: transfer.plan, transfer.isolation)
    state.finish(transfer.id, port: transfer.sharedPort, hasAnswer: transfer.phase.version != nil, &actions)
  }
}
