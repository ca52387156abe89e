import Interception
import RequestLogging
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
  /// The number of times that all calls were removed.
  private(set) var removalCount = 0

  init(byteLimit: Int) { self.byteLimit = max(1, byteLimit) }

  /// The kept calls, oldest first.
  var calls: [Call] { slots[first...].compactMap(\.call) }
  var count: Int { slots.count - first }

  /// Adds a call, and returns its position and the calls that make room for it.
  mutating func add(_ call: Call, byteCount: Int) -> (position: Int, evicted: EvictedCalls<Call>) {
    slots.append(Slot(call: call, byteCount: byteCount))
    self.byteCount += byteCount
    return (base + slots.count - 1, evict())
  }

  /// Records that a call takes more bytes, unless it is evicted, and returns the calls that make room.
  mutating func grow(_ position: Int, by growth: Int) -> EvictedCalls<Call> {
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
    removalCount += 1
    return calls
  }

  private mutating func evict() -> EvictedCalls<Call> {
    guard byteCount > byteLimit else { return [] }
    var evicted: EvictedCalls<Call> = []
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

/// The calls that make room for others: usually none or one, for which no array is allocated.
struct EvictedCalls<Call: Sendable>: Sequence, Sendable, ExpressibleByArrayLiteral {
  private var oldest: Call?
  private var others: [Call] = []

  init(arrayLiteral calls: Call...) {
    for call in calls { append(call) }
  }

  var isEmpty: Bool { oldest == nil }

  mutating func append(_ call: Call) {
    if oldest == nil { oldest = call } else { others.append(call) }
  }

  func makeIterator() -> IndexingIterator<[Call]> {
    ((oldest.map { [$0] } ?? []) + others).makeIterator()
  }
}

extension EvictedCalls: Equatable where Call: Equatable {}

/// The recorded calls and the number of the last change, shared by the calls' recorders and the page.
final class CallLog: Sendable {
  let bodyLimit: Int
  private let lastID = Atomic(0)
  private let fileKeeper = Mutex<(any CallKeeper)?>(nil)
  // Read for each change of a call, which needs no lock while calls aren't kept in a file.
  private let isKeeping = Atomic(false)
  private let cleared = Atomic(0)
  /// The kept calls, and the number of the last change of anything that the page shows.
  let changes: ChangeCount<CallRing<RecordedCall>>

  init(byteLimit: Int, bodyLimit: Int) {
    changes = ChangeCount(CallRing(byteLimit: byteLimit))
    self.bodyLimit = bodyLimit
  }

  /// The kept calls, oldest first.
  var calls: [RecordedCall] { changes.read { $0.calls } }

  /// The bytes that the calls take and may take, and the number of evicted calls.
  var usage: (bytes: Int, limit: Int, evicted: Int) {
    changes.read { ($0.byteCount, $0.byteLimit, $0.evictedCount) }
  }

  /// The number of removals of all calls that are over: nothing that is read afterwards is from before them.
  var removalCount: Int { changes.read { $0.removalCount } }

  /// The number of removals of all calls that have begun.
  var clearedCount: Int { cleared.load(ordering: .acquiring) }

  /// Returns the number of a call that starts now or is about to.
  func nextID() -> Int { lastID.add(1, ordering: .relaxed).newValue }

  /// Returns a kept call.
  func call(_ id: Int) -> RecordedCall? { calls.last { $0.id == id } }

  /// Adds a call that starts now.
  func add(_ record: consuming CallRecord, recordsSteps: Bool) -> RecordedCall {
    let byteCount = record.byteCount
    let call = RecordedCall(record, in: self, recordsSteps: recordsSteps)
    changes.note(ifNews: true) { ring, number in
      if let number { call.noteChange(number) }
      let (position, evicted) = ring.add(call, byteCount: byteCount)
      call.position.store(position, ordering: .relaxed)
      // They are released outside the lock.
      return evicted
    }
    return call
  }

  /// Records that a call takes more bytes, and that its line in a list changed if that is news.
  func grow(_ call: RecordedCall, by growth: Int, isNews: Bool) {
    changes.note(ifNews: isNews) { ring, number in
      if let number { call.noteChange(number) }
      return ring.grow(call.position.load(ordering: .relaxed), by: growth)
    }
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
    changes.note(ifNews: true) { ring, _ in ring.removeAll() }
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
  /// The number of bytes by which a call may grow before the log counts them; it also counts them whenever
  /// the line of the call in a list changes.
  private static let unreportedLimit = 16 << 10

  private struct State {
    var record: CallRecord
    /// The number of bytes by which the record has grown, and which the log has not counted.
    var unreportedGrowth = 0
  }

  let id: Int
  let recordsSteps: Bool
  let position = Atomic(0)
  /// Whether the call waits to be written to a file.
  let isPending = Atomic(false)
  private let state: Mutex<State>
  private let log: CallLog
  private let lastChange = Atomic(0)
  /// The number of removals of all calls when the call began.
  private let clearedBefore: Int

  init(_ record: consuming CallRecord, in log: CallLog, recordsSteps: Bool) {
    id = record.id
    self.recordsSteps = recordsSteps
    state = Mutex(State(record: record))
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
    state.withLock { state in
      state.record.sequence = sequence
      return state.record
    }
  }

  func record(_ event: CallEvent, at time: Duration) {
    record { $0.take(event, at: time) }
  }

  private func record(_ take: (inout CallRecord) -> CallRecord.Change) {
    // The log has one lock for all calls, so it is used as rarely as possible.
    let change: CallRecord.Change? = state.withLock { state in
      let change = take(&state.record)
      state.unreportedGrowth += change.growth
      guard change.isNews || state.unreportedGrowth >= Self.unreportedLimit else { return nil }
      defer { state.unreportedGrowth = 0 }
      return CallRecord.Change(growth: state.unreportedGrowth, isNews: change.isNews)
    }
    guard let change else { return }
    log.grow(self, by: change.growth, isNews: change.isNews)
    guard change.isNews, let keeper = log.keeper, !isForgotten, state.withLock({ $0.record.isComplete })
    else { return }
    keeper.keep(self)
  }

  /// The number of bytes that the call takes.
  var byteCount: Int { state.withLock { $0.record.byteCount } }

  func noteChange(_ number: Int) { lastChange.store(number, ordering: .releasing) }
}

extension RecordedCall: AlterationRecorder {
  func note(_ alteration: CallAlteration, of request: Request) { record { $0.take(alteration) } }
}

/// A value whose changes are numbered, and reported to those who watch; one lock is for both.
final class ChangeCount<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var last = 0
  }

  private let state: Mutex<State>
  private let hasWatchers = Atomic(false)
  private let watchers = Mutex<[Int: @Sendable () -> Void]>([:])

  init(_ value: sending Value) { state = Mutex(State(value: value)) }

  /// Whether a page is open.
  var isWatched: Bool { hasWatchers.load(ordering: .acquiring) }

  /// The number of the last change.
  var last: Int { state.withLock { $0.last } }

  /// Reads the value.
  func read<Result>(_ body: (Value) -> sending Result) -> sending Result { state.withLock { body($0.value) } }

  /// Numbers a change of something else than the value, and calls the watchers.
  ///
  /// - Parameter keep: Keeps the number where it is looked for, before a later one can be seen.
  func note(_ keep: (Int) -> Void = { _ in }) {
    state.withLock { state in
      state.last += 1
      keep(state.last)
    }
    callWatchers()
  }

  /// Changes the value, and numbers the change if it is one that the watchers see.
  ///
  /// - Parameter change: Changes the value, and keeps the number where it is looked for; returns what is
  ///   released after the lock.
  func note<Removed: Sendable>(ifNews isNews: Bool, _ change: (inout Value, Int?) -> Removed) {
    let removed = state.withLock { state in
      if isNews { state.last += 1 }
      return change(&state.value, isNews ? state.last : nil)
    }
    withExtendedLifetime(removed) { if isNews { callWatchers() } }
  }

  private func callWatchers() {
    guard isWatched else { return }
    for watcher in watchers.withLock({ $0.values.map(\.self) }) { watcher() }
  }

  /// Numbers the next changes from a number, unless it has passed.
  func advance(to number: Int) { state.withLock { $0.last = max($0.last, number) } }

  /// Calls `watcher` after each change, on the thread of the change; nil ends it.
  func watch(_ key: Int, _ watcher: (@Sendable () -> Void)?) {
    watchers.withLock { watchers in
      watchers[key] = watcher
      hasWatchers.store(!watchers.isEmpty, ordering: .releasing)
    }
  }
}
