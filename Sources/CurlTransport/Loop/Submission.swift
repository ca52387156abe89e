import Interception
import Synchronization

/// One request on its way from the caller to libcurl's thread.
final class Submission: Sendable {
  let id: TransferID
  let plan: RequestPlan
  /// Keeps the thread alive while anything of this request is under way.
  let owner: LoopOwner
  /// When the caller asked.
  let handedOver: Duration
  // A task can be cancelled before its request has reached the mailbox; the thread looks here first.
  private let cancelled = Atomic(false)

  init(id: TransferID, plan: RequestPlan, owner: LoopOwner, handedOver: Duration) {
    self.id = id
    self.plan = plan
    self.owner = owner
    self.handedOver = handedOver
  }

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  func noteCancelled() { cancelled.store(true, ordering: .releasing) }
}
