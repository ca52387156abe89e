#if SQLite

/// The numbers of events that were removed without having been delivered.
public struct ActivityLoss: Sendable, Hashable {
  /// Removed because there were more than `ActivityLimits(count:)`.
  package internal(set) var beyondCount = 0
  /// Removed because they took more than `ActivityLimits(bytes:)`.
  package internal(set) var beyondBytes = 0
  /// Removed because they were older than `ActivityLimits(age:)`.
  package internal(set) var beyondAge = 0
  /// Removed from the events that were set aside, because there were more than the limit.
  package internal(set) var beyondSetAside = 0
  /// Not readable when the log's file was found damaged; see ``ActivityLog/damagedFile``.
  package internal(set) var damaged = 0

  init() {}

  /// The sum of all numbers.
  public var total: Int { beyondCount + beyondBytes + beyondAge + beyondSetAside + damaged }

  static func += (left: inout ActivityLoss, right: ActivityLoss) {
    left.beyondCount += right.beyondCount
    left.beyondBytes += right.beyondBytes
    left.beyondAge += right.beyondAge
    left.beyondSetAside += right.beyondSetAside
    left.damaged += right.damaged
  }

  /// Encodes all numbers but ``damaged``, which files of earlier versions don't have.
  func encode(to writer: inout RecordWriter) {
    for number in [beyondCount, beyondBytes, beyondAge, beyondSetAside] { writer.append(number) }
  }

  init(from reader: inout RecordReader) throws(RecordDamage) {
    beyondCount = try reader.count()
    beyondBytes = try reader.count()
    beyondAge = try reader.count()
    beyondSetAside = try reader.count()
  }
}
#endif
