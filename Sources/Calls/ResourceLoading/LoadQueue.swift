import Interception

/// The transfers and decodes of resources: which of them wait, which run, and what each of them is for.
///
/// A resource has one load, with a demand for each size that is asked for. It is transferred once and then
/// decoded once for each size. What is visible comes before what is prefetched, and the last asked visible
/// one first. A load that nothing demands any more is cancelled. If it is demanded again before its transfer
/// has ended, the response that arrives in spite of the cancellation is used, or the transfer begins anew.
///
/// A value without I/O. Each event changes it, and ``advance(prefetching:)`` returns what follows.
struct LoadQueue {
  /// Identifies a load; never reused.
  typealias LoadID = UInt64
  /// Identifies a caller that waits.
  typealias WaiterID = UInt64

  /// What is to be done.
  enum Action {
    /// Start the transfer of a load, with its request.
    case transfer(LoadID, ResourceKey, Request, isVisible: Bool)
    /// Cancel the transfer of a load, whose end is still reported.
    case cancel(LoadID)
    /// Decode what a load has transferred with its request.
    case decode(LoadID, ResourceVariant, ResourceContent, Request)
  }

  private struct Demand {
    let size: PixelSize?
    var waiters: Set<WaiterID> = []
    var isPrefetched = false
    var isDecoding = false

    var isWanted: Bool { isPrefetched || !waiters.isEmpty }
  }

  private enum Phase {
    case waiting
    case transferring(isCancelled: Bool)
    case transferred(ResourceContent)
  }

  private struct Load {
    let key: ResourceKey
    let request: Request
    var phase = Phase.waiting
    var span: TransferSpan
    /// In the order in which their sizes were first asked for.
    var demands: [Demand] = []

    init(_ key: ResourceKey, _ request: Request) {
      (self.key, self.request) = (key, request)
      span = TransferSpan(start: 0, end: 0, asksServer: !key.acceptsDecoded)
    }

    var isVisible: Bool { demands.contains { !$0.waiters.isEmpty } }

    func index(of size: PixelSize?) -> Int? { demands.firstIndex { $0.size == size } }
  }

  private struct Decode: Hashable {
    let load: LoadID
    let size: PixelSize?
  }

  private let limits: ResourceLimits
  private var loads: [LoadID: Load] = [:]
  private var ids: [ResourceKey: LoadID] = [:]
  private var waiters: [WaiterID: Decode] = [:]
  private var lastID: LoadID = 0
  /// Grows with each start and end of a transfer.
  private var moment: UInt64 = 0

  private var waitingTransfers = PriorityLine<LoadID>()
  private var waitingDecodes = PriorityLine<Decode>()
  /// The prefetches for which no transfer or decode was started, in the order in which they were asked for.
  ///
  /// Visible ones are among them, because they are prefetches again when their callers leave.
  private var prefetches = LinkedOrder<Decode>()
  // Those of loads that were removed remain here until their ends are reported, because they still run.
  private var transferring: Set<LoadID> = []
  private var transferred: Set<LoadID> = []
  private var decoding: Set<Decode> = []
  private var cancellations: [LoadID] = []
  /// The requests of the loads that have ended, until their owner takes them.
  private var ended: [Request] = []

  /// Creates a queue without loads.
  init(_ limits: ResourceLimits) { self.limits = limits }

  /// The number of callers that wait.
  var waitingCount: Int { waiters.count }
  /// Whether nothing waits or runs.
  var isIdle: Bool { loads.isEmpty && transferring.isEmpty && transferred.isEmpty && decoding.isEmpty }
  /// The number of loads in any phase.
  var count: Int { loads.count }
  /// The number of sizes of all loads that are asked for.
  var demandCount: Int { loads.values.reduce(0) { $0 + $1.demands.count } }

  // MARK: What callers ask for

  /// Lets a caller wait for a variant; returns whether it joins a load that others have asked for.
  mutating func ask(_ variant: ResourceVariant, of request: Request, _ waiter: WaiterID) -> Bool {
    let isJoined = ids[variant.key].map { loads[$0]?.demands.isEmpty == false } ?? false
    let id = demand(variant, request) { $0.waiters.insert(waiter) }
    waiters[waiter] = Decode(load: id, size: variant.size)
    place(id, variant.size)
    return isJoined
  }

  /// Asks for a variant for which no caller waits yet, and drops the oldest prefetches if there are too many.
  mutating func prefetch(_ variant: ResourceVariant, of request: Request) {
    var isNew = false
    let id = demand(variant, request) { demand in
      isNew = !demand.isPrefetched && !demand.isDecoding
      demand.isPrefetched = true
    }
    if isNew { prefetches.append(Decode(load: id, size: variant.size)) }
    // One that is visible keeps its place.
    if !isVisible(id, variant.size) { place(id, variant.size) }
    while prefetches.count > ResourceLimits.waitingPrefetches, let oldest = prefetches.first {
      cancelPrefetch(oldest)
    }
  }

  /// Ends a prefetch; callers that wait for the variant continue to wait.
  mutating func cancelPrefetch(_ variant: ResourceVariant) {
    if let id = ids[variant.key] { cancelPrefetch(Decode(load: id, size: variant.size)) }
  }

  private mutating func cancelPrefetch(_ decode: Decode) {
    prefetches.remove(decode)
    guard let index = loads[decode.load]?.index(of: decode.size) else { return }
    loads[decode.load]?.demands[index].isPrefetched = false
    withdraw(decode)
  }

  /// Ends the wait of a caller, if it waits.
  mutating func leave(_ waiter: WaiterID) {
    guard let decode = waiters.removeValue(forKey: waiter),
      let index = loads[decode.load]?.index(of: decode.size)
    else { return }
    loads[decode.load]?.demands[index].waiters.remove(waiter)
    withdraw(decode)
  }

  /// Ends all loads; returns the callers that have waited.
  mutating func removeAll() -> [WaiterID] {
    defer {
      (loads, ids, waiters) = ([:], [:], [:])
      (waitingTransfers, waitingDecodes) = (PriorityLine(), PriorityLine())
      prefetches = LinkedOrder()
    }
    ended += loads.values.map(\.request)
    for (id, load) in loads {
      if case .transferring(isCancelled: false) = load.phase { cancellations.append(id) }
    }
    transferred = Set(decoding.map(\.load))
    return Array(waiters.keys)
  }

  /// Takes the requests of the loads that have ended, whose context may have values with a `deinit` that is
  /// the code of others.
  mutating func takeEnded() -> [Request] {
    guard !ended.isEmpty else { return [] }
    defer { ended = [] }
    return ended
  }

  /// Returns the callers that wait for a load.
  func waiters(of id: LoadID) -> [WaiterID] { loads[id]?.demands.flatMap(\.waiters) ?? [] }

  // MARK: What has ended

  /// Records the content of a load, which is decoded for each size that is still asked for.
  mutating func finishTransfer(_ id: LoadID, _ content: ResourceContent) {
    transferring.remove(id)
    guard let load = loads[id] else { return }
    guard !load.demands.isEmpty else {
      remove(id)
      return
    }
    moment += 1
    loads[id]?.span.end = moment
    loads[id]?.phase = .transferred(content)
    transferred.insert(id)
    for demand in load.demands { place(id, demand.size) }
  }

  /// Records the failure of a transfer; returns the callers that it concerns.
  ///
  /// The failure of a transfer that was cancelled concerns no caller: those that have asked since wait for
  /// another one.
  mutating func failTransfer(_ id: LoadID) -> [WaiterID] {
    transferring.remove(id)
    guard let load = loads[id] else { return [] }
    if case .transferring(isCancelled: true) = load.phase, let demand = load.demands.first {
      loads[id]?.phase = .waiting
      place(id, demand.size)
      return []
    }
    return remove(id)
  }

  /// Records the end of a decode; returns the callers that have waited for it, whether only a prefetch has,
  /// and when the resource was transferred; nil if all loads were ended meanwhile.
  mutating func finishDecode(
    _ id: LoadID, _ size: PixelSize?
  ) -> (waiters: [WaiterID], isPrefetched: Bool, span: TransferSpan)? {
    decoding.remove(Decode(load: id, size: size))
    guard let span = loads[id]?.span, let index = loads[id]?.index(of: size),
      let demand = loads[id]?.demands.remove(at: index)
    else {
      if !decoding.contains(where: { $0.load == id }) { transferred.remove(id) }
      return nil
    }
    for waiter in demand.waiters { waiters[waiter] = nil }
    dropIfUnwanted(id)
    return (demand.waiters.sorted(), demand.isPrefetched && demand.waiters.isEmpty, span)
  }

  // MARK: What follows

  /// Returns what is to be done after the events so far.
  ///
  /// - Parameter isPrefetching: Whether prefetches may start.
  mutating func advance(prefetching isPrefetching: Bool) -> [Action] {
    var actions = cancellations.map(Action.cancel)
    cancellations = []
    while decoding.count < limits.decodes, let decode = takeDecode() {
      guard let load = loads[decode.load], case .transferred(let content) = load.phase,
        let index = load.index(of: decode.size)
      else { continue }
      decoding.insert(decode)
      loads[decode.load]?.demands[index].isDecoding = true
      prefetches.remove(decode)
      let variant = ResourceVariant(key: load.key, size: decode.size)
      actions.append(.decode(decode.load, variant, content, load.request))
    }
    while transferring.count < limits.transfers, transferring.count + transferred.count < limits.unfinished,
      let id = takeTransfer(isPrefetching), let load = loads[id]
    {
      transferring.insert(id)
      loads[id]?.phase = .transferring(isCancelled: false)
      moment += 1
      loads[id]?.span.start = moment
      // The one that it is started for; other sizes continue to wait.
      if let first = load.demands.first(where: \.isPrefetched) {
        prefetches.remove(Decode(load: id, size: first.size))
      }
      actions.append(.transfer(id, load.key, load.request, isVisible: load.isVisible))
    }
    return actions
  }

  private mutating func takeTransfer(_ isPrefetching: Bool) -> LoadID? {
    if let id = waitingTransfers.takeVisible() { return id }
    // Half of everything remains for what becomes visible meanwhile.
    guard isPrefetching, isHalfFree(transferring.count(where: isPrefetch), of: limits.transfers) else {
      return nil
    }
    let unfinished = transferring.union(transferred).count(where: isPrefetch)
    guard isHalfFree(unfinished, of: limits.unfinished) else { return nil }
    return waitingTransfers.takePrefetched()
  }

  private mutating func takeDecode() -> Decode? {
    if let decode = waitingDecodes.takeVisible() { return decode }
    let prefetches = decoding.count(where: { isPrefetch($0.load) })
    return isHalfFree(prefetches, of: limits.decodes) ? waitingDecodes.takePrefetched() : nil
  }

  private func isHalfFree(_ count: Int, of limit: Int) -> Bool { count < max(1, limit / 2) }

  private func isPrefetch(_ id: LoadID) -> Bool { loads[id]?.isVisible != true }
}

extension LoadQueue {
  /// Changes the demand for a variant, which is created with its load if there is none; returns the load.
  private mutating func demand(
    _ variant: ResourceVariant, _ request: Request, _ change: (inout Demand) -> Void
  ) -> LoadID {
    let id: LoadID
    if let known = ids[variant.key] {
      id = known
    } else {
      lastID += 1
      id = lastID
      ids[variant.key] = id
      loads[id] = Load(variant.key, request)
    }
    if loads[id]?.index(of: variant.size) == nil { loads[id]?.demands.append(Demand(size: variant.size)) }
    // In place, because a copy of the waiting callers would take time in proportion to their number.
    if let index = loads[id]?.index(of: variant.size) {
      change(&loads[id, default: Load(variant.key, request)].demands[index])
    }
    return id
  }

  /// Places a load, or its decode to a size, among those that wait, if it doesn't run.
  private mutating func place(_ id: LoadID, _ size: PixelSize?) {
    guard let load = loads[id] else { return }
    switch load.phase {
    case .waiting: waitingTransfers.place(id, isVisible: load.isVisible)
    case .transferring: break
    case .transferred:
      guard let index = load.index(of: size), !load.demands[index].isDecoding else { return }
      let isVisible = !load.demands[index].waiters.isEmpty
      waitingDecodes.place(Decode(load: id, size: size), isVisible: isVisible)
    }
  }

  /// Whether a caller waits for a load, or for a size of one that is transferred.
  private func isVisible(_ id: LoadID, _ size: PixelSize?) -> Bool {
    guard let load = loads[id] else { return false }
    guard case .transferred = load.phase else { return load.isVisible }
    return load.index(of: size).map { !load.demands[$0].waiters.isEmpty } ?? false
  }

  /// Removes a demand that is not wanted any more, and moves one that is no longer visible.
  private mutating func withdraw(_ decode: Decode) {
    guard let load = loads[decode.load], let index = load.index(of: decode.size) else { return }
    let demand = load.demands[index]
    // A decode that runs can't be cancelled, so its value is kept.
    guard !demand.isWanted, !demand.isDecoding else {
      if !isVisible(decode.load, decode.size) { place(decode.load, decode.size) }
      return
    }
    loads[decode.load]?.demands.remove(at: index)
    waitingDecodes.remove(decode)
    dropIfUnwanted(decode.load)
    if case .waiting = loads[decode.load]?.phase, !isVisible(decode.load, nil) { place(decode.load, nil) }
  }

  /// Cancels or removes a load without demands.
  private mutating func dropIfUnwanted(_ id: LoadID) {
    guard let load = loads[id], load.demands.isEmpty else { return }
    switch load.phase {
    case .waiting, .transferred: remove(id)
    case .transferring(isCancelled: true): break
    case .transferring(isCancelled: false):
      loads[id]?.phase = .transferring(isCancelled: true)
      cancellations.append(id)
    }
  }

  /// Removes a load; returns the callers that have waited for it.
  @discardableResult
  private mutating func remove(_ id: LoadID) -> [WaiterID] {
    guard let load = loads.removeValue(forKey: id) else { return [] }
    ids[load.key] = nil
    ended.append(load.request)
    for demand in load.demands { prefetches.remove(Decode(load: id, size: demand.size)) }
    waitingTransfers.remove(id)
    transferred.remove(id)
    let all = load.demands.flatMap(\.waiters).sorted()
    for waiter in all { waiters[waiter] = nil }
    return all
  }
}

/// When a resource was transferred, among all transfers of a queue.
struct TransferSpan: Sendable {
  /// Grows with each start and end.
  var start: UInt64
  var end: UInt64
  /// Whether the request asks for the server's present response; a cache may have answered others.
  let asksServer: Bool

  /// Returns whether the resource is older than what another load has transferred.
  ///
  /// What a cache may have answered is older than what the server has answered at the same time; otherwise
  /// the transfer that started first has the older one.
  func isOlder(than other: TransferSpan) -> Bool {
    let overlaps = start < other.end && other.start < end
    return overlaps && asksServer != other.asksServer ? other.asksServer : start < other.start
  }
}

/// What was transferred of a resource.
struct ResourceContent: Sendable, Equatable {
  let bytes: [UInt8]
  /// Whether the response permits that its decoded value is kept.
  let isStorable: Bool
}
