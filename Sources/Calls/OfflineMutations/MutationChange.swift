#if SQLite
public import Interception

/// A change of a ``MutationQueue``.
public enum MutationChange: Sendable {
  /// A mutation was stored.
  case enqueued(Mutation)
  /// The server has accepted a mutation, which has left the queue.
  case delivered(Mutation, Response)
  /// A delivery has failed for a reason that may pass; the mutation and those after it wait. The reason is a
  /// status, the label of a `NetworkError`, or why the queue's file can't record the delivery: without that
  /// nothing is sent. If the file can't return the mutation either, only ``MutationQueue/state`` has the
  /// reason.
  case delayed(Mutation, reason: String)
  /// The server has refused a mutation, which was set aside.
  case rejected(RejectedMutation)
  /// A mutation was removed by ``MutationQueue/cancel(_:)``.
  case cancelled(id: Mutation.ID)
  /// The record of a mutation was found damaged when it was to be sent; it was set aside.
  case damaged(id: Mutation.ID)
}
#endif
