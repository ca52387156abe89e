import Interception
import Synchronization

/// The calls that are kept, the newest last: a ring that is bounded by bytes.
///
/// A value that is tested by itself; adding, growing and evicting take constant time on average.
struct CallRing<Call: Sendable>: Sendable {
  private struct Slot: Sendable {
    var call: Call?
    var byteCount: Int
  }

  let byteLimit: Int
  private var slots: [Slot] = []
  /// The index of the oldest call in `slots`; those before it are evicted.
  private var first = 0
  /// The position of `slots[0]` since the ring was created.
  private var base = 0
  private(set) var byteCount = 0
  /// The number of calls that made room for others.
  private(set) var evictedCount = 0

  init(byteLimit: Int) { self.byteLimit = max(1, byteLimit) }

  /// The kept calls, oldest first.
  var calls: [Call] { slots[first...].compactMap(\.call) }
  var count: Int { slots.count - first }

  /// Adds a call, and returns its position and the calls that make room for it.
  mutating func add(_ call: Call, byteCount: Int) -> (position: Int, evicted: [Call]) {
    slots.append(Slot(call: call, byteCount: byteCount))
    self.byteCount += byteCount
    return (base + slots.count - 1, evict())
  }

  /// Records that a call takes more bytes, unless it is evicted, and returns the calls that make room.
  mutating func grow(_ position: Int, by growth: Int) -> [Call] {
    let index = position - base
    guard index >= first, index < slots.count else { return [] }
    slots[index].byteCount += growth
    byteCount += growth
    return evict()
  }

  /// Removes all calls, and returns them.
  mutating func removeAll() -> [Call] {
    let calls = calls
    base += slots.count
    (slots, first, byteCount, evictedCount) = ([], 0, 0, 0)
    return calls
  }

  private mutating func evict() -> [Call] {
    guard byteCount > byteLimit else { return [] }
    var evicted: [Call] = []
    // The newest call stays, whatever it takes: its own parts are limited.
    while byteCount > byteLimit, slots.count - first > 1 {
      if let call = slots[first].call { evicted.append(call) }
      byteCount -= slots[first].byteCount
      slots[first] = Slot(call: nil, byteCount: 0)
      first += 1
      evictedCount += 1
    }
    // Half of the slots at once, so that each is moved at most once on average.
    if first > 64, first > slots.count / 2 {
      slots.removeFirst(first)
      base += first
      first = 0
    }
    return evicted
  }
}

/// The recorded calls and the number of the last change, shared by the calls' recorders and the page.
final class CallLog: Sendable {
  let bodyLimit: Int
  private let ring: Mutex<CallRing<RecordedCall>>
  private let lastID = Atomic(0)
  private let fileKeeper = Mutex<(any CallKeeper)?>(nil)
  // Read for each change of a call, which needs no lock while calls aren't kept in a file.
  private let isKeeping = Atomic(false)
  private let cleared = Atomic(0)
  let changes = ChangeCount()

  init(byteLimit: Int, bodyLimit: Int) {
    ring = Mutex(CallRing(byteLimit: byteLimit))
    self.bodyLimit = bodyLimit
  }

  /// The kept calls, oldest first.
  var calls: [RecordedCall] { ring.withLock { $0.calls } }

  /// The bytes that the calls take and may take, and the number of evicted calls.
  var usage: (bytes: Int, limit: Int, evicted: Int) {
    ring.withLock { ($0.byteCount, $0.byteLimit, $0.evictedCount) }
  }

  /// The number of times that all calls were removed.
  var clearedCount: Int { cleared.load(ordering: .acquiring) }

  /// Returns the number of a call that starts now or is about to.
  func nextID() -> Int { lastID.add(1, ordering: .relaxed).newValue }

  /// Returns a kept call.
  func call(_ id: Int) -> RecordedCall? { calls.last { $0.id == id } }

  /// Adds a call that starts now.
  func add(_ record: CallRecord, recordsSteps: Bool) -> RecordedCall {
    let call = RecordedCall(record, in: self, recordsSteps: recordsSteps)
    // Evicted calls are released outside the lock.
    let (position, evicted) = ring.withLock { $0.add(call, byteCount: record.byteCount) }
    call.position.store(position, ordering: .relaxed)
    withExtendedLifetime(evicted) { call.noteChange() }
    return call
  }

  func grow(_ call: RecordedCall, by growth: Int) {
    let position = call.position.load(ordering: .relaxed)
    let evicted = ring.withLock { $0.grow(position, by: growth) }
    withExtendedLifetime(evicted) {}
  }

  /// Releases all calls, and removes those that a file has; those that run are no longer shown.
  func removeAll() {
    // First, so that a call is either removed from the file or not written to it any more.
    cleared.add(1, ordering: .acquiringAndReleasing)
    keeper?.removeAll()
    releaseAll()
  }

  /// Releases all calls; those that run are no longer shown.
  func releaseAll() {
    let calls = ring.withLock { $0.removeAll() }
    withExtendedLifetime(calls) { changes.note() }
  }
}

/// Keeping calls in a file.
extension CallLog {
  /// What keeps the calls that have ended; nil if nothing does.
  var keeper: (any CallKeeper)? {
    isKeeping.load(ordering: .acquiring) ? fileKeeper.withLock { $0 } : nil
  }

  /// Whether no call was recorded and no file named.
  var canKeep: Bool { !isKeeping.load(ordering: .acquiring) && lastID.load(ordering: .relaxed) == 0 }

  /// Keeps the calls from now on, with numbers above those of earlier runs.
  ///
  /// - Returns: False if calls were recorded before, or are kept already.
  func keep(by keeper: some CallKeeper) -> Bool {
    fileKeeper.withLock { fileKeeper in
      let next = keeper.lastEarlierID
      guard fileKeeper == nil,
        lastID.compareExchange(expected: 0, desired: next, ordering: .relaxed).exchanged
      else { return false }
      fileKeeper = keeper
      changes.advance(to: next)
      isKeeping.store(true, ordering: .releasing)
      return true
    }
  }

  /// Ends keeping calls; those that wait are written.
  func endKeeping() {
    isKeeping.store(false, ordering: .releasing)
    let keeper = fileKeeper.withLock { keeper in
      defer { keeper = nil }
      return keeper
    }
    keeper?.finish()
  }
}

/// A recorded call, which receives its events.
final class RecordedCall: CallRecorder {
  let id: Int
  let recordsSteps: Bool
  let position = Atomic(0)
  /// Whether the call waits to be written to a file.
  let isPending = Atomic(false)
  private let record: Mutex<CallRecord>
  private let log: CallLog
  private let lastChange = Atomic(0)
  /// The number of removals of all calls when the call began.
  private let clearedBefore: Int

  init(_ record: CallRecord, in log: CallLog, recordsSteps: Bool) {
    id = record.id
    self.recordsSteps = recordsSteps
    self.record = Mutex(record)
    self.log = log
    clearedBefore = log.clearedCount
  }

  /// Whether the user has removed all calls since the call began, so that it must not be kept in a file.
  var isForgotten: Bool { log.clearedCount != clearedBefore }

  var sampleLimit: Int { log.bodyLimit }

  /// The number of the last change of the call's line.
  var sequence: Int { lastChange.load(ordering: .acquiring) }

  /// What is known of the call now.
  var current: CallRecord {
    record.withLock { record in
      record.sequence = sequence
      return record
    }
  }

  func record(_ event: CallEvent, at time: Duration) {
    let change = record.withLock { $0.take(event, at: time) }
    if change.growth > 0 { log.grow(self, by: change.growth) }
    guard change.isNews else { return }
    noteChange()
    guard let keeper = log.keeper, !isForgotten,
      record.withLock({ $0.isComplete })
    else { return }
    keeper.keep(self)
  }

  /// The number of bytes that the call takes.
  var byteCount: Int { record.withLock { $0.byteCount } }

  func noteChange() { log.changes.note { lastChange.store($0, ordering: .releasing) } }
}

/// Numbers the changes, and tells those who watch that there is one.
final class ChangeCount: Sendable {
  private let count = Mutex(0)
  private let hasWatchers = Atomic(false)
  private let watchers = Mutex<[Int: @Sendable () -> Void]>([:])

  /// Whether a page is open.
  var isWatched: Bool { hasWatchers.load(ordering: .acquiring) }

  /// The number of the last change.
  var last: Int { count.withLock { $0 } }

  /// Numbers a change, and calls the watchers.
  ///
  /// - Parameter keep: Keeps the number where it is looked for, before a later one can be seen.
  func note(_ keep: (Int) -> Void = { _ in }) {
    count.withLock { count in
      count += 1
      keep(count)
    }
    guard isWatched else { return }
    for watcher in watchers.withLock({ $0.values.map(\.self) }) { watcher() }
  }

  /// Numbers the next changes from a number, unless it has passed.
  func advance(to number: Int) { count.withLock { $0 = max($0, number) } }

  /// Calls `watcher` after each change, on the thread of the change; nil ends it.
  func watch(_ key: Int, _ watcher: (@Sendable () -> Void)?) {
    watchers.withLock { watchers in
      watchers[key] = watcher
      hasWatchers.store(!watchers.isEmpty, ordering: .releasing)
    }
  }
}
