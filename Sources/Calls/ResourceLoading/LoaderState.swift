import Interception

/// The decisions of a loader: the decoded values that are kept, and the loads of the others.
///
/// A value without I/O. ``ResourceLoader`` reports each event to it, and performs what ``advance(at:)``
/// returns.
struct LoaderState<Value: Sendable> {
  private(set) var tier: DecodedTier<Value>
  private(set) var queue: LoadQueue
  private var counts = ResourceStatistics()

  /// Creates a state without values and loads.
  init(_ limits: ResourceLimits) {
    tier = DecodedTier(limits)
    queue = LoadQueue(limits)
  }

  /// The numbers so far.
  var statistics: ResourceStatistics {
    var statistics = counts
    statistics.decodedBytes = tier.cost
    statistics.highestDecodedBytes = tier.highestCost
    statistics.waiting = queue.waitingCount
    return statistics
  }

  /// Returns the decoded value of a variant; nil if it must be loaded.
  mutating func value(of variant: ResourceVariant, at now: Duration) -> Value? {
    guard variant.key.acceptsDecoded, let kept = variant.kept else { return nil }
    guard let value = tier.value(of: kept, at: now) else { return nil }
    counts.hits += 1
    return value
  }

  /// Returns the value that is shown until that of a variant is there.
  func placeholder(for variant: ResourceVariant) -> Value? {
    variant.kept.flatMap { tier.placeholder(for: $0) }
  }

  /// Lets a caller wait for a variant.
  ///
  /// - Parameter request: Is sent if no other one is shared.
  mutating func wait(
    for variant: ResourceVariant, of request: Request, _ waiter: LoadQueue.WaiterID
  ) {
    if queue.ask(variant, of: request, waiter) { counts.joins += 1 }
  }

  /// Ends the wait of a caller, if it waits.
  mutating func leave(_ waiter: LoadQueue.WaiterID) { queue.leave(waiter) }

  /// Prefetches a variant, unless its value is kept or could not be kept.
  mutating func prefetch(_ variant: ResourceVariant, of request: Request, at now: Duration) {
    guard let kept = variant.kept, !tier.hasValue(of: kept, at: now) else { return }
    queue.prefetch(variant, of: request)
  }

  /// Ends a prefetch; a value that was prefetched before is kept like any other.
  mutating func cancelPrefetch(_ variant: ResourceVariant) {
    queue.cancelPrefetch(variant)
    if let kept = variant.kept { tier.markSeen(kept) }
  }

  /// Records the content of a load.
  mutating func finishTransfer(_ id: LoadQueue.LoadID, _ content: ResourceContent) {
    queue.finishTransfer(id, content)
  }

  /// Records the failure of a transfer; returns the callers that it concerns.
  mutating func failTransfer(_ id: LoadQueue.LoadID) -> [LoadQueue.WaiterID] { queue.failTransfer(id) }

  /// Records the end of a decode, with its value if it has not failed and may be kept; returns the callers
  /// that have waited for it.
  mutating func finishDecode(
    _ id: LoadQueue.LoadID, _ variant: ResourceVariant, keeping resource: DecodedResource<Value>?,
    at now: Duration
  ) -> [LoadQueue.WaiterID] {
    guard let decoded = queue.finishDecode(id, variant.size) else { return [] }
    if let resource, let kept = variant.kept {
      tier.insert(
        resource.value, cost: resource.cost, of: kept, transferred: decoded.span,
        isUnseen: decoded.isPrefetched, at: now)
    }
    return decoded.waiters
  }

  /// Takes the requests of the loads that have ended.
  mutating func takeEnded() -> [Request] { queue.takeEnded() }

  /// Takes the values that are no longer kept.
  mutating func takeEvicted() -> [Value] { tier.takeEvicted() }

  /// Removes the decoded values.
  mutating func removeValues() { tier.removeAll() }

  /// Removes the decoded values and ends all loads; returns the callers that have waited.
  mutating func removeAll() -> [LoadQueue.WaiterID] {
    tier.removeAll()
    return queue.removeAll()
  }

  /// Returns what is to be done after the events so far.
  mutating func advance(at now: Duration) -> [LoadQueue.Action] {
    tier.markExpired(at: now)
    // What was prefetched and not seen takes half of the tier at most, so that it evicts neither what is
    // visible nor itself.
    let actions = queue.advance(prefetching: tier.unseenCost <= tier.limit / 2)
    for action in actions {
      switch action {
      case .transfer: counts.transfers += 1
      case .decode: counts.decodes += 1
      case .cancel: break
      }
    }
    return actions
  }
}

extension ResourceVariant {
  /// The variant as which the decoded value is kept; nil if it must not be kept.
  var kept: ResourceVariant? { key.kept.map { ResourceVariant(key: $0, size: size) } }
}
