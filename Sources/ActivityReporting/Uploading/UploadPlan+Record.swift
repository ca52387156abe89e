#if SQLite
import DurableQueues

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
