#if SQLite
import DurableQueues
import Interception

/// What a log has stored and what it sends next: a value that is stored together with each change of the
/// events, and decides without I/O.
///
/// Events have increasing sequence numbers, and each belongs to an account. All of an account up to its
/// `head` have left the queue. A batch is a range of numbers after it, of which the account's events are
/// stored as a batch before it is sent and stay the same until its outcome is known, also while another
/// account uses the app.
@dynamicMemberLookup
struct UploadPlan: Sendable, Hashable {
  /// The events of one account.
  struct Lane: Sendable, Hashable {
    /// The number up to which events have left the queue.
    var head: Int64 = 0
    /// What waits, with the batch's events.
    var waiting = Amount()
    /// The losses that no batch has reported.
    var unreported = ActivityLoss()
    var batch: Batch?
    /// The ends of ranges with an event that the server refuses, the innermost last.
    var suspects: [Int64] = []

    /// Whether nothing has to be remembered.
    fileprivate var isIdle: Bool { waiting.count == 0 && batch == nil && unreported.total == 0 }
  }

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

  /// The maximum number of accounts of which only losses are known.
  private static let maximumLossOnlyLanes = 100

  /// The account that the steps and changes concern, which is not stored; an empty text for no account.
  var account = ""
  /// The events of each account that has any, and those of no account.
  var lanes: [String: Lane] = ["": Lane()]
  /// The number of the event recorded last.
  var lastSequence: Int64 = 0
  var setAsideCount = 0
  var deliveredCount = 0
  /// All losses since the file was created.
  var lost = ActivityLoss()
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

  /// The events of ``account``.
  var lane: Lane {
    get { lanes[account] ?? Lane(head: lastSequence) }
    set { lanes[account] = newValue }
  }

  /// A part of the account's events.
  subscript<Value>(dynamicMember part: WritableKeyPath<Lane, Value>) -> Value {
    get { lane[keyPath: part] }
    set { lane[keyPath: part] = newValue }
  }

  /// What waits of all accounts.
  var allWaiting: Amount { lanes.values.reduce(into: Amount()) { $0 += $1.waiting } }

  /// Returns the plan of an account's events.
  func of(_ account: String) -> UploadPlan {
    var plan = self
    plan.account = account
    return plan
  }

  /// Records an event that is stored behind all others, and returns its number.
  mutating func append(bytes: Int, of account: String) -> Int64 {
    self.account = account
    // Nothing of it waits before, so it isn't looked for among the events of others.
    if lane.waiting.count == 0, lane.batch == nil { advance(to: lastSequence) }
    lane.waiting += Amount(count: 1, bytes: bytes)
    lastSequence += 1
    return lastSequence
  }

  /// Records the loss of the account's events.
  mutating func lose(_ loss: ActivityLoss, _ amount: Amount) {
    lane.waiting -= amount
    lane.unreported += loss
    lost += loss
  }

  /// Whether an event is part of its account's batch.
  func isInBatch(_ sequence: Int64, of account: String) -> Bool {
    guard let batch = lanes[account]?.batch else { return false }
    return (batch.first...max(batch.first, batch.last)).contains(sequence)
  }

  /// Forgets the accounts without events, and of those with unreported losses only the ones that recorded
  /// first.
  mutating func forgetIdleLanes() {
    guard lanes.count > 1 else { return }
    lanes = lanes.filter { $0.key.isEmpty || !$0.value.isIdle }
    let withoutEvents = lanes.filter {
      !$0.key.isEmpty && $0.value.waiting.count == 0 && $0.value.batch == nil
    }
    guard withoutEvents.count > Self.maximumLossOnlyLanes else { return }
    let oldest = withoutEvents.sorted { $0.value.head < $1.value.head }
    for (account, _) in oldest.dropLast(Self.maximumLossOnlyLanes) { lanes[account] = nil }
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
    if let batch = lane.batch { return .send(batch) }
    guard lane.waiting.count > 0 else { return .idle }
    let count = min(upload.batchCount, acceptedCount ?? .max)
    let limits = BatchLimits(count: count, bytes: upload.batchBytes, through: lane.suspects.last)
    if !lane.suspects.isEmpty || lane.head < drained || isBatchComplete(upload) || gathered >= upload.interval
    {
      return .form(limits)
    }
    return .gather(upload.interval - gathered)
  }

  /// Whether enough events wait for a batch.
  func isBatchComplete(_ upload: ActivityUpload) -> Bool {
    lane.waiting.count >= min(upload.batchCount, acceptedCount ?? .max)
      || lane.waiting.bytes >= upload.batchBytes
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
    lane.batch = Batch(id: id, first: first, last: last, lost: lane.unreported)
    lane.unreported = ActivityLoss()
  }

  /// Forgets the batch; the next one reports its losses.
  mutating func abandonBatch() {
    if let batch = lane.batch { lane.unreported += batch.lost }
    lane.batch = nil
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
    guard let batch = lane.batch else { return .keep }
    lastFailure = verdict.failure
    switch verdict {
    case .delivered:
      lane.batch = nil
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
    // The next batch has other events.
    abandonBatch()
    if refusals > Self.maximumImmediateRefusals { backOff.fail(retryAfter: nil, now: now, random: random) }
    guard sequences.count > 1 else {
      setAsideCount += 1
      leave(batch, amount)
      return .setAside(batch, status: status)
    }
    let half = sequences.count / 2
    if status == 413 { acceptedCount = half }
    if lane.suspects.last != batch.last { lane.suspects.append(batch.last) }
    lane.suspects.append(sequences[half - 1])
    return .keep
  }

  private mutating func leave(_ batch: Batch, _ amount: Amount) {
    advance(to: batch.last)
    lane.waiting -= amount
  }

  /// Records that all events of the account up to a number have left the queue.
  mutating func advance(to sequence: Int64) {
    lane.head = max(lane.head, sequence)
    while let end = lane.suspects.last, end <= lane.head { lane.suspects.removeLast() }
  }

  /// Records that no event waits any longer, of whichever account.
  mutating func empty() {
    for account in Array(lanes.keys) {
      self.account = account
      abandonBatch()
      lane.waiting = Amount()
      advance(to: lastSequence)
    }
    refusals = 0
  }
}
#endif
