import Interception
import Synchronization

/// The ledger of what was removed from a cache, or replaced in it, while a request or a read was on its way.
///
/// A response that was requested before its removal is not stored after it. One that was read before its
/// removal or replacement is neither used nor copied into memory.
final class RemovalLedger: Sendable {
  private struct State {
    /// The removals, noted before they are executed.
    var removals = RemovalLog()
    /// The removals and replacements in the store below memory, noted after they were executed.
    var executed = RemovalLog()
    /// The responses that are being stored.
    var pending: [ObjectIdentifier: PendingResponse] = [:]

    /// The responses being stored that a removal concerns.
    var concerned: [PendingResponse] {
      pending.values.filter { removals.hasCleared($0.key, tags: $0.tags, since: $0.mark) }
    }
  }

  private let state = Mutex(State())

  // MARK: Requests

  /// The number of removals so far, to take before a request is forwarded.
  var mark: UInt64 { state.withLock { $0.removals.mark } }

  /// Whether a response with a key and tags was removed since a mark.
  func hasCleared(_ key: CacheKey, tags: Set<CacheRule.Tag>, since mark: UInt64) -> Bool {
    state.withLock { $0.removals.hasCleared(key, tags: tags, since: mark) }
  }

  /// Begins to store a response; nil if it was removed since the mark of its request.
  func begin(_ stored: StoredResponse, since mark: UInt64) -> PendingResponse? {
    let response = PendingResponse(key: stored.key, tags: stored.tags, mark: mark)
    return state.withLock { state in
      guard !state.removals.hasCleared(stored.key, tags: stored.tags, since: mark) else { return nil }
      state.pending[ObjectIdentifier(response)] = response
      return response
    }
  }

  /// Ends to store a response, which is stored, or removed again.
  func end(_ response: PendingResponse) {
    state.withLock { $0.pending[ObjectIdentifier(response)] = nil }
    response.end()
  }

  /// Notes a removal that is about to be executed; returns the responses being stored that it may concern.
  func note(_ selection: CacheSelection) -> [PendingResponse] {
    state.withLock { state in
      state.removals.note(selection)
      return state.concerned
    }
  }

  /// Notes the removal of a response that the next one of the same request replaces.
  ///
  /// - Returns: The mark of the next response, see ``RemovalLog``, and the responses being stored that the
  ///   removal may concern.
  func noteReplacement(
    of key: CacheKey, tags: Set<CacheRule.Tag>, since mark: UInt64, removing selection: CacheSelection
  ) -> (next: UInt64, concerned: [PendingResponse]) {
    state.withLock { state in
      let next = state.removals.noteReplacement(of: key, tags: tags, since: mark, removing: selection)
      return (next, state.concerned)
    }
  }

  // MARK: Reads

  /// The number of executed changes so far, to take before the store below memory is read.
  var readMark: UInt64 { state.withLock { $0.executed.mark } }

  /// Notes that responses were removed from the store below memory, or replaced there.
  func noteExecuted(_ selection: CacheSelection) { state.withLock { $0.executed.note(selection) } }

  /// Whether a response that was read below memory was neither removed nor replaced since a mark.
  ///
  /// - Parameter copy: Copies it into memory, in one step with the comparison: what is noted later, is also
  ///   removed or replaced in memory later.
  func isCurrent(_ stored: StoredResponse, since mark: UInt64, copy: () -> Void) -> Bool {
    state.withLock { state in
      guard !state.executed.hasCleared(stored.key, tags: stored.tags, since: mark) else { return false }
      copy()
      return true
    }
  }
}

/// A response that is being stored, and removed again if a removal concerns it.
final class PendingResponse: Sendable {
  let key: CacheKey
  let tags: Set<CacheRule.Tag>
  let mark: UInt64
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>([])

  init(key: CacheKey, tags: Set<CacheRule.Tag>, mark: UInt64) {
    (self.key, self.tags, self.mark) = (key, tags, mark)
  }

  /// Resumes those that wait.
  func end() {
    let waiting = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting ?? []
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the response is stored or removed.
  func ended() async {
    await withCheckedContinuation { continuation in
      let isOver = waiting.withLock { waiting in
        waiting?.append(continuation)
        return waiting == nil
      }
      if isOver { continuation.resume() }
    }
  }
}

/// Records recent removals, so that a response requested before a removal is not stored after it.
///
/// Without it a response in flight while its account was wiped would be stored for the next account. The
/// log has the number of the latest removal of each thing, such as an account, a tag or a target, so that
/// removals of other things don't count against a response. Beyond ``capacity`` the older half is forgotten.
struct RemovalLog {
  /// The maximum number of things whose removal is remembered.
  static let capacity = 16_384

  /// The number of removals so far, to compare with later.
  private(set) var mark: UInt64 = 0
  /// The number of the latest removal of each thing, by its hash.
  private var latest: [Int: UInt64] = [:]
  /// The number of the latest removal that was forgotten.
  private var forgotten: UInt64 = 0

  /// The number of things whose removal is remembered.
  var count: Int { latest.count }

  mutating func note(_ selection: CacheSelection) {
    mark += 1
    if case .tags(let tags) = selection.kind {
      for tag in tags { record(.tags([tag])) }
    } else {
      record(selection.kind)
    }
  }

  /// Whether a response with a key and tags was removed since a mark; also true if the mark is too old to
  /// tell.
  func hasCleared(_ key: CacheKey, tags: Set<CacheRule.Tag>, since former: UInt64) -> Bool {
    guard mark != former else { return false }
    guard forgotten <= former else { return true }
    let subject = key.subject
    if hasRemoved(.all, since: former) || hasRemoved(.target(subject.target), since: former)
      || hasRemoved(.key(key), since: former) || hasRemoved(.subject(subject), since: former)
      || hasRemoved(.partition(subject.partition), since: former)
    {
      return true
    }
    if let api = subject.api,
      hasRemoved(.api(api), since: former) || hasRemoved(.service(api.service), since: former)
    {
      return true
    }
    return tags.contains { hasRemoved(.tags([$0]), since: former) }
  }

  /// Records the removal of a response that the next one of the same request replaces.
  ///
  /// In one step with the comparison, so that no removal in between is taken for this one.
  ///
  /// - Parameters:
  ///   - former: The mark of the request.
  ///   - selection: What is removed, which includes the key.
  /// - Returns: The mark of the next response, which this removal doesn't concern: the present one, or
  ///   `former` if the key was cleared since, so that the next response is not stored either.
  mutating func noteReplacement(
    of key: CacheKey, tags: Set<CacheRule.Tag>, since former: UInt64,
    removing selection: CacheSelection? = nil
  ) -> UInt64 {
    let isCleared = hasCleared(key, tags: tags, since: former)
    note(selection ?? .key(key))
    return isCleared ? former : mark
  }

  private func hasRemoved(_ kind: CacheSelection.Kind, since former: UInt64) -> Bool {
    latest[kind.hashValue].map { $0 > former } ?? false
  }

  private mutating func record(_ kind: CacheSelection.Kind) {
    // The hash alone takes little memory; two things with the same one cost a miss.
    latest[kind.hashValue] = mark
    guard latest.count > Self.capacity else { return }
    let marks = latest.values.sorted()
    let limit = marks[marks.count / 2]
    latest = latest.filter { $0.value > limit }
    forgotten = limit
  }
}
