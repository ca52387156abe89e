#if SQLite
import DurableQueues
import Interception

/// What a log has stored and what it sends next: a value that is stored together with each change of the
/// events, and decides without I/O.
///
/// Events have increasing sequence numbers. All up to `head` have left the queue. A batch is a range of
/// numbers after it, which is stored before it is sent and stays the same until its outcome is known.
struct UploadPlan: Sendable, Hashable {
  /// A batch that is being sent, or will be sent again.
  struct Batch: Sendable, Hashable {
    var id: String
    var first: Int64
    var last: Int64
    var lost: ActivityLoss
  }

  /// A number of events and of their bytes.
  struct Amount: Sendable, Hashable {
    var count = 0
    var bytes = 0

    static func += (left: inout Amount, right: Amount) {
      left.count += right.count
      left.bytes += right.bytes
    }

    // A damaged file may contain other numbers than events.
    static func -= (left: inout Amount, right: Amount) {
      left.count = max(left.count - right.count, 0)
      left.bytes = max(left.bytes - right.bytes, 0)
    }
  }

  /// The number of refused requests without a delivery after which each further one waits, so that a server
  /// that refuses everything isn't flooded.
  ///
  /// A single refused event of a batch of 10,000 takes 15.
  static let maximumImmediateRefusals = 20

  /// The number of the event recorded last.
  var lastSequence: Int64 = 0
  /// The number up to which events have left the queue.
  var head: Int64 = 0
  /// What waits, with the batch's events.
  var waiting = Amount()
  var setAsideCount = 0
  var deliveredCount = 0
  /// The losses that no batch has reported.
  var unreported = ActivityLoss()
  /// All losses since the file was created.
  var lost = ActivityLoss()
  var batch: Batch?
  /// The ends of ranges with an event that the server refuses, the innermost last.
  var suspects: [Int64] = []
  /// The maximum number of events that the server has let pass since it found a batch too large; nil if it
  /// has found none too large.
  var acceptedCount: Int?
  /// The number of refusals since the last delivery.
  var refusals = 0
  var backOff = DeliveryBackOff()
  /// Why the last upload failed; nil after a success.
  var lastFailure: String?
  /// The log's own time when the plan was stored; nil in files of versions without it.
  var clock: LogClock?

  /// Records the loss of events.
  mutating func lose(_ loss: ActivityLoss, _ amount: Amount) {
    waiting -= amount
    unreported += loss
    lost += loss
  }
}
#endif
