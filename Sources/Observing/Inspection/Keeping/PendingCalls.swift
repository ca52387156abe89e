/// The calls that wait to be written, bounded by number and bytes.
///
/// A value that is tested by itself. While the disk is slow, the calls beyond the limits are counted, and not
/// kept in memory.
struct PendingCalls<Call: Sendable>: Sendable {
  let countLimit: Int
  let byteLimit: Int
  private(set) var calls: [Call] = []
  private var byteCount = 0
  /// The number of calls that were dropped.
  private(set) var droppedCount = 0
  /// Whether calls are no longer written, so that all are dropped.
  private(set) var isClosed = false

  init(countLimit: Int, byteLimit: Int) {
    self.countLimit = max(1, countLimit)
    self.byteLimit = max(1, byteLimit)
  }

  /// What became of a call.
  enum Addition: Equatable {
    /// It is the first that waits, so that a write must be scheduled.
    case first
    /// It waits with others.
    case further
    case dropped
  }

  /// Adds a call, unless there is no room.
  mutating func add(_ call: Call, byteCount: Int) -> Addition {
    // A single call has room, whatever it takes: its parts are limited.
    let hasRoom = calls.isEmpty || calls.count < countLimit && self.byteCount + byteCount <= byteLimit
    guard !isClosed, hasRoom else {
      droppedCount += 1
      return .dropped
    }
    calls.append(call)
    self.byteCount += byteCount
    return calls.count == 1 ? .first : .further
  }

  /// Removes and returns all calls.
  mutating func takeAll() -> [Call] {
    defer { (calls, byteCount) = ([], 0) }
    return calls
  }

  /// Counts calls that were taken and could not be written.
  mutating func noteDropped(_ count: Int) { droppedCount += count }

  /// Drops all further calls.
  mutating func close() { isClosed = true }
}
