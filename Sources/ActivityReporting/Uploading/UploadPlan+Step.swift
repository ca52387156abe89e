#if SQLite
import DurableQueues
import Interception

extension UploadPlan {
  /// What an uploader does next.
  enum Step: Sendable, Hashable {
    /// Waits for an event.
    case idle
    /// Waits, because too few events have been recorded.
    case gather(Duration)
    /// Waits, because an upload has failed.
    case backOff(Duration)
    /// Stores a batch of the events after `head`.
    case form(BatchLimits)
    /// Sends the stored batch.
    case send(Batch)
  }

  /// The limits of a batch that is formed.
  struct BatchLimits: Sendable, Hashable {
    var count: Int
    var bytes: Int
    /// The number of the last event; nil for no limit.
    var through: Int64?
  }

  /// The next step.
  ///
  /// - Parameters:
  ///   - gathered: How long the log has gathered events since the last batch.
  ///   - drained: The number of the last event that doesn't wait for others: at launch the last one that was
  ///     left, later the last one before a flush.
  func step(_ upload: ActivityUpload, now: WallTime, gathered: Duration, drained: Int64) -> Step {
    if let wait = backOff.wait(now: now) { return .backOff(wait) }
    if let batch { return .send(batch) }
    guard waiting.count > 0 else { return .idle }
    let count = min(upload.batchCount, acceptedCount ?? .max)
    let limits = BatchLimits(count: count, bytes: upload.batchBytes, through: suspects.last)
    if !suspects.isEmpty || head < drained || isBatchComplete(upload) || gathered >= upload.interval {
      return .form(limits)
    }
    return .gather(upload.interval - gathered)
  }

  /// Whether enough events wait for a batch.
  func isBatchComplete(_ upload: ActivityUpload) -> Bool {
    waiting.count >= min(upload.batchCount, acceptedCount ?? .max) || waiting.bytes >= upload.batchBytes
  }
}
#endif
