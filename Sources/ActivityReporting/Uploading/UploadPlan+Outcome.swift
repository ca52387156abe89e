#if SQLite
import DurableQueues
import Interception

extension UploadPlan {
  /// What happens to the events of a batch.
  enum Outcome: Sendable, Hashable {
    /// They were delivered, and are removed.
    case remove(Batch)
    /// The only one is moved to those set aside.
    case setAside(Batch, status: Int)
    /// They wait to be sent again.
    case keep
  }

  /// Stores a batch with the events of a range.
  mutating func begin(id: String, first: Int64, last: Int64) {
    batch = Batch(id: id, first: first, last: last, lost: unreported)
    unreported = ActivityLoss()
  }

  /// Applies the verdict on the batch.
  ///
  /// - Parameters:
  ///   - sequences: The numbers of the batch's events.
  ///   - amount: The amount of the batch's events.
  mutating func settle(
    _ verdict: DeliveryVerdict, sequences: [Int64], amount: Amount, batchCount: Int, now: WallTime,
    random: Double
  ) -> Outcome {
    guard let batch else { return .keep }
    lastFailure = verdict.failure
    switch verdict {
    case .delivered:
      self.batch = nil
      backOff.succeed()
      refusals = 0
      deliveredCount += sequences.count
      if let accepted = acceptedCount { acceptedCount = accepted + 1 < batchCount ? accepted + 1 : nil }
      leave(batch, amount)
      return .remove(batch)
    case .failed(_, let retryAfter):
      backOff.fail(retryAfter: retryAfter, now: now, random: random)
      return .keep
    case .tooLarge: return refuse(batch, status: 413, sequences, amount, now, random)
    case .refused(let status): return refuse(batch, status: status, sequences, amount, now, random)
    }
  }

  private mutating func refuse(
    _ batch: Batch, status: Int, _ sequences: [Int64], _ amount: Amount, _ now: WallTime, _ random: Double
  ) -> Outcome {
    refusals += 1
    self.batch = nil
    // The next batch has other events, and reports the losses.
    unreported += batch.lost
    if refusals > Self.maximumImmediateRefusals { backOff.fail(retryAfter: nil, now: now, random: random) }
    guard sequences.count > 1 else {
      setAsideCount += 1
      leave(batch, amount)
      return .setAside(batch, status: status)
    }
    let half = sequences.count / 2
    if status == 413 { acceptedCount = half }
    if suspects.last != batch.last { suspects.append(batch.last) }
    suspects.append(sequences[half - 1])
    return .keep
  }

  private mutating func leave(_ batch: Batch, _ amount: Amount) {
    advance(to: batch.last)
    waiting -= amount
  }

  /// Records that all events up to a number have left the queue.
  mutating func advance(to sequence: Int64) {
    head = max(head, sequence)
    while let end = suspects.last, end <= head { suspects.removeLast() }
  }
}
#endif
