#if SQLite
import DurableQueues
import Interception

extension UploadPlan {
  /// The maximum number of nested ranges with a refused event; a batch has at most 10,000 events.
  private static let maximumSuspects = 64

  /// The plan as the bytes that are stored.
  ///
  /// The lane of no account comes first, because files of version 1 have one lane.
  var record: [UInt8] {
    let anonymous = lanes[""] ?? Lane()
    var writer = RecordWriter()
    writer.append(lastSequence)
    writer.append(anonymous.head)
    let waiting = anonymous.waiting
    for number in [waiting.count, waiting.bytes, setAsideCount, deliveredCount, refusals, acceptedCount ?? 0]
    {
      writer.append(number)
    }
    anonymous.unreported.encode(to: &writer)
    lost.encode(to: &writer)
    backOff.encode(to: &writer)
    anonymous.encodeRanges(to: &writer)
    writer.append(lastFailure ?? "")
    writer.append(clock == nil ? 0 : 1)
    writer.append(clock?.seconds ?? 0)
    writer.append(clock?.wall ?? 0)
    for loss in [anonymous.unreported, lost, anonymous.batch?.lost ?? ActivityLoss()] {
      writer.append(loss.damaged)
    }
    let others = lanes.filter { !$0.key.isEmpty }
    writer.append(others.count)
    for (account, lane) in others {
      writer.append(account)
      for number in [lane.head, Int64(lane.waiting.count), Int64(lane.waiting.bytes)] {
        writer.append(number)
      }
      lane.unreported.encode(to: &writer)
      lane.encodeRanges(to: &writer)
      for loss in [lane.unreported, lane.batch?.lost ?? ActivityLoss()] { writer.append(loss.damaged) }
    }
    return writer.finish()
  }

  /// Decodes the bytes that were stored.
  init(record: [UInt8]) throws(RecordDamage) {
    var reader = try RecordReader(record)
    var anonymous = Lane()
    lastSequence = try reader.number()
    anonymous.head = try reader.number()
    anonymous.waiting.count = try reader.count()
    anonymous.waiting.bytes = try reader.count()
    setAsideCount = try reader.count()
    deliveredCount = try reader.count()
    refusals = try reader.count()
    let accepted = try reader.count()
    acceptedCount = accepted == 0 ? nil : accepted
    anonymous.unreported = try ActivityLoss(from: &reader)
    lost = try ActivityLoss(from: &reader)
    backOff = try DeliveryBackOff(from: &reader)
    try anonymous.decodeRanges(from: &reader, maximumSuspects: Self.maximumSuspects)
    lanes[""] = anonymous
    // Files of earlier versions end here.
    guard !reader.isAtEnd else { return }
    let failure = try reader.text()
    lastFailure = failure.isEmpty ? nil : failure
    let hasClock = try reader.number() == 1
    let (seconds, wall) = (try reader.number(), try reader.number())
    clock = hasClock ? LogClock(seconds: seconds, wall: wall) : nil
    anonymous.unreported.damaged = try reader.count()
    lost.damaged = try reader.count()
    let batchDamaged = try reader.count()
    anonymous.batch?.lost.damaged = batchDamaged
    lanes[""] = anonymous
    // Files of version 1 end here.
    guard !reader.isAtEnd else { return }
    for _ in 0..<(try reader.count()) {
      let account = try reader.text()
      var lane = Lane(head: try reader.number())
      lane.waiting = Amount(count: try reader.count(), bytes: try reader.count())
      lane.unreported = try ActivityLoss(from: &reader)
      try lane.decodeRanges(from: &reader, maximumSuspects: Self.maximumSuspects)
      lane.unreported.damaged = try reader.count()
      let damaged = try reader.count()
      lane.batch?.lost.damaged = damaged
      lanes[account] = lane
    }
    guard reader.isAtEnd else { throw RecordDamage() }
  }
}

extension UploadPlan.Lane {
  fileprivate func encodeRanges(to writer: inout RecordWriter) {
    writer.append(suspects.count)
    for end in suspects { writer.append(end) }
    writer.append(batch == nil ? 0 : 1)
    guard let batch else { return }
    writer.append(batch.id)
    writer.append(batch.first)
    writer.append(batch.last)
    batch.lost.encode(to: &writer)
  }

  fileprivate mutating func decodeRanges(
    from reader: inout RecordReader, maximumSuspects: Int
  ) throws(RecordDamage) {
    let count = try reader.count()
    guard count <= maximumSuspects else { throw RecordDamage() }
    for _ in 0..<count { suspects.append(try reader.number()) }
    guard try reader.number() == 1 else { return }
    batch = UploadPlan.Batch(
      id: try reader.text(), first: try reader.number(), last: try reader.number(),
      lost: try ActivityLoss(from: &reader))
  }
}
#endif
