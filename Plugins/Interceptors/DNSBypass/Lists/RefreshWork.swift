import Interception
import Synchronization

/// What a refresher's task uses; it doesn't retain the refresher, so that a released one ends its task.
final class RefreshWork: Sendable {
  private struct State {
    var schedule: RefreshSchedule
    /// The number of the latest start, and whether it has not been ended.
    var number: UInt64 = 0
    var isRunning = false
    /// When the list in use was issued.
    var issued: WallTime?
    /// Whether the stored list could not be read for a reason that may pass; then it is not overwritten.
    var isUnread = false
    var wakes: AsyncStream<Void>.Continuation?
    /// The times at which timers end.
    var timers: [Duration] = []
  }

  private let bypass: DNSBypassInterceptor
  private let file: WholeFile?
  private let interval: Duration
  private let ranges: Set<SpecialAddressRange>
  private let time: TimeSource
  private let random: Mutex<any RandomNumberGenerator & Sendable>
  private let verify: @Sendable ([UInt8]) throws -> [UInt8]
  private let decode: @Sendable ([UInt8]) throws -> AddressList
  private let onReport: @Sendable (AddressListReport) -> Void
  private let fetch: @Sendable () async throws -> [UInt8]
  private let state: Mutex<State>

  init(
    bypass: DNSBypassInterceptor, file: WholeFile?, interval: Duration, ranges: Set<SpecialAddressRange>,
    time: TimeSource, random: any RandomNumberGenerator & Sendable,
    verify: @escaping @Sendable ([UInt8]) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> AddressList,
    onReport: @escaping @Sendable (AddressListReport) -> Void,
    fetch: @escaping @Sendable () async throws -> [UInt8]
  ) {
    self.bypass = bypass
    self.file = file
    self.interval = interval
    self.ranges = ranges
    self.time = time
    self.random = Mutex(random)
    self.verify = verify
    self.decode = decode
    self.onReport = onReport
    self.fetch = fetch
    state = Mutex(State(schedule: RefreshSchedule(every: interval, lastSuccess: nil)))
  }

  /// Restores the stored list, and returns the stream of occasions to ask the schedule.
  ///
  /// - Parameter number: The number of the start. After a later one this has no effect.
  func begin(_ number: UInt64) -> AsyncStream<Void> {
    let (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let isLatest = state.withLock { state in
      guard number > state.number else { return false }
      (state.number, state.isRunning) = (number, true)
      return true
    }
    let lastSuccess = isLatest ? restore(as: number) : nil
    let isCurrent = change(as: number) { state in
      state.schedule = RefreshSchedule(every: interval, lastSuccess: lastSuccess)
      state.timers = []
      state.wakes = continuation
    }
    guard isCurrent else {
      continuation.finish()
      return wakes
    }
    bypass.exhaustion.setHandler { [weak self] in self?.note { $0.noteExhaustion() } }
    continuation.yield()
    return wakes
  }

  /// Ends what a start has begun, unless a later start has begun since.
  func end(_ number: UInt64) {
    var wakes: AsyncStream<Void>.Continuation?
    change(as: number) { state in
      state.isRunning = false
      wakes = state.wakes.take()
    }
    wakes?.finish()
  }

  /// Changes the state on behalf of a start; false if it was ended or a later one has begun.
  @discardableResult
  private func change(as number: UInt64, _ change: (inout State) -> Void) -> Bool {
    state.withLock { state in
      guard state.isRunning, state.number == number else { return false }
      change(&state)
      return true
    }
  }

  /// Changes the schedule and asks it again.
  func note(_ change: (inout RefreshSchedule) -> Void) {
    let wakes = state.withLock { state in
      change(&state.schedule)
      return state.wakes
    }
    wakes?.yield()
  }

  /// Asks the schedule at each occasion, until the stream ends or the task is cancelled.
  func follow(_ wakes: AsyncStream<Void>, as number: UInt64) async {
    await withDiscardingTaskGroup { group in
      for await _ in wakes {
        let (now, wall) = (time.now(), time.wallTime())
        var action = RefreshSchedule.Action.none
        change(as: number) { action = $0.schedule.next(at: now, wall: wall) }
        switch action {
        case .none: break
        case .fetch: await attempt(as: number)
        case .wait(let pause):
          let end = now + pause
          var isNeeded = false
          change(as: number) { state in
            // The earliest timer asks again, and then another one is added if needed.
            isNeeded = state.timers.allSatisfy { $0 > end }
            if isNeeded { state.timers.append(end) }
          }
          if isNeeded { group.addTask { await self.wake(after: pause, end: end, as: number) } }
        }
      }
      group.cancelAll()
    }
  }

  private func wake(after pause: Duration, end: Duration, as number: UInt64) async {
    do { try await time.sleep(for: pause) } catch { return }
    var wakes: AsyncStream<Void>.Continuation?
    change(as: number) { state in
      state.timers.removeAll { $0 <= end }
      wakes = state.wakes
    }
    wakes?.yield()
  }

  /// Records the outcome of a start's attempt and asks the schedule again.
  private func note(as number: UInt64, _ outcome: (inout RefreshSchedule) -> Void) {
    var wakes: AsyncStream<Void>.Continuation?
    change(as: number) { state in
      outcome(&state.schedule)
      wakes = state.wakes
    }
    wakes?.yield()
  }

  /// Fetches the list, uses and stores it.
  private func attempt(as number: UInt64) async {
    // The fetched list is compared with the stored one, and stored in its place.
    if state.withLock({ $0.isUnread }) { _ = restore(as: number) }
    let list: AddressList
    let record: AddressListRecord
    do throws(AddressListError) {
      let signed = try await fetched()
      let table: AddressTable
      (list, table) = try checked(signed)
      guard try use(list, table, as: number) else { return }
      record = AddressListRecord(refreshed: time.wallTime(), signed: signed)
    } catch {
      let share = random.withLock { Double.random(in: 0..<1, using: &$0) }
      note(as: number) { [now = time.now()] in $0.didFail(at: now, random: share) }
      if !Task.isCancelled { onReport(.failed(error)) }
      return
    }
    note(as: number) { [now = time.now()] in $0.didSucceed(at: now, wall: record.refreshed) }
    do throws(AddressListError) {
      try store(record)
      onReport(.refreshed(hosts: list.hosts.count))
    } catch {
      // It is still in use.
      onReport(.refreshed(hosts: list.hosts.count))
      onReport(.failed(error))
    }
  }

  private func fetched() async throws(AddressListError) -> [UInt8] {
    let (fetch, time) = (fetch, time)
    do {
      return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
        group.addTask { try await fetch() }
        group.addTask {
          try await time.sleep(for: AddressListRefresher.attemptLimit)
          return nil
        }
        defer { group.cancelAll() }
        guard let bytes = try await group.next(), let bytes else {
          throw AddressListError(.unavailable(reason: "it took longer than 60 s"))
        }
        return bytes
      }
    } catch {
      if let error = error as? AddressListError { throw error }
      // Another error's text might contain a credential.
      throw AddressListError(.unavailable(reason: (error as? NetworkError)?.label ?? "\(type(of: error))"))
    }
  }

  private func checked(_ signed: [UInt8]) throws(AddressListError) -> (AddressList, AddressTable) {
    guard signed.count <= AddressListRefresher.maximumSize else { throw AddressListError(.tooLong) }
    let content: [UInt8]
    do { content = try verify(signed) } catch {
      throw AddressListError(.unverified(reason: "\(type(of: error))"))
    }
    let list: AddressList
    do { list = try decode(content) } catch {
      throw (error as? AddressListError) ?? AddressListError(.malformed(line: 0))
    }
    guard !list.hosts.isEmpty else { throw AddressListError(.empty) }
    do throws(AddressTableIssue) {
      return (list, try AddressTable(list.hosts, allowing: ranges))
    } catch { throw AddressListError(.refused(error)) }
  }

  /// Uses a list; false if the start was ended, since the list in use remains after that.
  ///
  /// - Parameter stored: When the list was fetched, if it is the stored one.
  private func use(
    _ list: AddressList, _ table: AddressTable, as number: UInt64, fetched stored: WallTime? = nil
  ) throws(AddressListError) -> Bool {
    let now = time.wallTime()
    // A time in the future would keep every later list out.
    let isInFuture = list.issued.map { $0 > now.advanced(by: AddressListRefresher.toleratedSkew) } ?? false
    // A stored list was accepted before; if the clock was set back since, it is better than none.
    guard !isInFuture || stored != nil else { throw AddressListError(.issuedInFuture) }
    let age = (list.issued ?? stored ?? now).duration(to: now)
    var fault: AddressListError?
    let isRunning = change(as: number) { state in
      guard age <= AddressListRefresher.maximumAge else {
        // It was in use before, so no list that was issued earlier, or that doesn't say when, may follow.
        if stored != nil, let issued = list.issued { state.issued = max(state.issued ?? issued, issued) }
        fault = AddressListError(.expired)
        return
      }
      if let latest = state.issued {
        if let issued = list.issued {
          if issued < latest { fault = AddressListError(.outdated) }
        } else {
          fault = AddressListError(.undated)
        }
      }
      guard fault == nil else { return }
      if !isInFuture { state.issued = list.issued }
      // In one step with the comparison, so that a list that was issued earlier can't follow.
      bypass.update(table)
    }
    if let fault { throw fault }
    return isRunning
  }

  /// Uses the stored list; returns when it was fetched.
  private func restore(as number: UInt64) -> WallTime? {
    guard let file else { return nil }
    let (record, list, table): (AddressListRecord, AddressList, AddressTable)
    var isUnread = false
    defer { change(as: number) { $0.isUnread = isUnread } }
    do throws(AddressListError) {
      let bytes: [UInt8]?
      // The two lines before the list have less than 256 bytes.
      do throws(WholeFileFault) { bytes = try file.bytes(upTo: AddressListRefresher.maximumSize + 256) } catch
      {
        isUnread = error.isPassing
        throw AddressListError(.unreadable(path: file.path, reason: error.reason))
      }
      guard let bytes else { return nil }
      guard let decoded = AddressListRecord.decode(bytes) else {
        throw AddressListError(.damaged(path: file.path))
      }
      record = decoded
      (list, table) = try checked(record.signed)
    } catch {
      onReport(.failed(error))
      // The next list would overwrite it.
      if !isUnread, let path = file.setAside() { onReport(.setAside(path: path)) }
      return nil
    }
    do throws(AddressListError) {
      guard try use(list, table, as: number, fetched: record.refreshed) else { return nil }
      onReport(.restored(hosts: list.hosts.count))
      return record.refreshed
    } catch {
      onReport(.failed(error))
      return nil
    }
  }

  private func store(_ record: AddressListRecord) throws(AddressListError) {
    guard let file, !state.withLock({ $0.isUnread }) else { return }
    guard let bytes = record.encoded() else {
      throw AddressListError(.unwritable(path: file.path, reason: "no SHA-256 can be computed"))
    }
    do throws(WholeFileFault) { try file.replace(with: bytes, isSynchronized: true) } catch {
      throw AddressListError(.unwritable(path: file.path, reason: error.reason))
    }
  }
}
