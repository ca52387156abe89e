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

extension UploadPlan {
  /// What an uploader does next.
  enum Step: Sendable, Hashable {
    /// Waits for an event.
    case idle
    /// Waits, because too few events have been recorded.
    case gather(Duration)
    /// Waits, because an upload has failed.
    case backOff(Duration)
    /// Waits, because there is no network.
    case offline
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
  ///   - isOnline: Whether there is a network, as far as the app has reported.
  func step(
    _ upload: ActivityUpload, now: WallTime, gathered: Duration, drained: Int64, isOnline: Bool = true
  ) -> Step {
    guard isOnline else { return .offline }
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

extension UploadPlan {
  /// The maximum number of nested ranges with a refused event; a batch has at most 10,000 events.
  private static let maximumSuspects = 64

  /// The plan as the bytes that are stored.
  var record: [UInt8] {
    var writer = RecordWriter()
    writer.append(lastSequence)
    writer.append(head)
    for number in [waiting.count, waiting.bytes, setAsideCount, deliveredCount, refusals, acceptedCount ?? 0]
    {
      writer.append(number)
    }
    unreported.encode(to: &writer)
    lost.encode(to: &writer)
    backOff.encode(to: &writer)
    writer.append(suspects.count)
    for end in suspects { writer.append(end) }
    writer.append(batch == nil ? 0 : 1)
    if let batch {
      writer.append(batch.id)
      writer.append(batch.first)
      writer.append(batch.last)
      batch.lost.encode(to: &writer)
    }
    writer.append(lastFailure ?? "")
    writer.append(clock == nil ? 0 : 1)
    writer.append(clock?.seconds ?? 0)
    writer.append(clock?.wall ?? 0)
    for loss in [unreported, lost, batch?.lost ?? ActivityLoss()] { writer.append(loss.damaged) }
    return writer.finish()
  }

  /// Decodes the bytes that were stored.
  init(record: [UInt8]) throws(RecordDamage) {
    var reader = try RecordReader(record)
    lastSequence = try reader.number()
    head = try reader.number()
    waiting.count = try reader.count()
    waiting.bytes = try reader.count()
    setAsideCount = try reader.count()
    deliveredCount = try reader.count()
    refusals = try reader.count()
    let accepted = try reader.count()
    acceptedCount = accepted == 0 ? nil : accepted
    unreported = try ActivityLoss(from: &reader)
    lost = try ActivityLoss(from: &reader)
    backOff = try DeliveryBackOff(from: &reader)
    let count = try reader.count()
    guard count <= Self.maximumSuspects else { throw RecordDamage() }
    for _ in 0..<count { suspects.append(try reader.number()) }
    if try reader.number() == 1 {
      batch = Batch(
        id: try reader.text(), first: try reader.number(), last: try reader.number(),
        lost: try ActivityLoss(from: &reader))
    }
    // Files of earlier versions end here.
    guard !reader.isAtEnd else { return }
    let failure = try reader.text()
    lastFailure = failure.isEmpty ? nil : failure
    let hasClock = try reader.number() == 1
    let (seconds, wall) = (try reader.number(), try reader.number())
    clock = hasClock ? LogClock(seconds: seconds, wall: wall) : nil
    unreported.damaged = try reader.count()
    lost.damaged = try reader.count()
    let batchDamaged = try reader.count()
    batch?.lost.damaged = batchDamaged
    guard reader.isAtEnd else { throw RecordDamage() }
  }
}
#endif
