/// Decoded values in memory, limited by their cost; the one that was used least recently is evicted first.
struct DecodedTier<Value: Sendable> {
  private struct Entry {
    let value: Value
    let cost: Int
    /// When the value no longer answers a load, though it is still a placeholder.
    let expiry: Duration
    /// When it was transferred.
    let span: TransferSpan
    /// Whether it was prefetched and no load has received it.
    var isUnseen: Bool
  }

  /// The maximum cost.
  let limit: Int
  private let lifetime: Duration
  private var entries: [ResourceVariant: Entry] = [:]
  /// The sizes of each resource whose values are kept.
  private var sizes: [ResourceKey: [PixelSize?]] = [:]
  private var order = LinkedOrder<ResourceVariant>()
  /// The values that were prefetched and that no load has received, in the order in which they expire.
  private var unseen = LinkedOrder<ResourceVariant>()
  /// The values that are no longer kept, until their owner takes them.
  private var evicted: [Value] = []
  /// The cost of all values.
  private(set) var cost = 0
  /// The highest cost so far.
  private(set) var highestCost = 0
  /// The cost of the values that were prefetched, have not expired, and that no load has received.
  private(set) var unseenCost = 0

  /// Creates a tier without values.
  init(_ limits: ResourceLimits) {
    limit = limits.decodedBytes
    lifetime = limits.lifetime
  }

  /// The number of values.
  var count: Int { entries.count }

  /// Returns whether a value is kept that can answer a load.
  func hasValue(of variant: ResourceVariant, at now: Duration) -> Bool {
    entries[variant].map { now < $0.expiry } ?? false
  }

  /// Returns the value that answers a load; nil if there is none, or it has expired.
  mutating func value(of variant: ResourceVariant, at now: Duration) -> Value? {
    guard let entry = entries[variant], now < entry.expiry else { return nil }
    order.append(variant)
    markSeen(variant)
    return entry.value
  }

  /// Returns the value that is shown until that of a size is there: that size, or else the smallest one that
  /// covers it, or else the largest one.
  func placeholder(for variant: ResourceVariant) -> Value? {
    if let entry = entries[variant] { return entry.value }
    guard var best = sizes[variant.key]?.first else { return nil }
    for size in sizes[variant.key] ?? [] where Self.isBetter(size, than: best, for: variant.size) {
      best = size
    }
    return entries[ResourceVariant(key: variant.key, size: best)]?.value
  }

  /// Keeps a value, unless its cost exceeds the limit or the kept one is newer, and evicts others until there
  /// is room for it.
  ///
  /// - Parameters:
  ///   - span: When it was transferred.
  ///   - isUnseen: Whether it was prefetched and no load receives it.
  mutating func insert(
    _ value: Value, cost own: Int, of variant: ResourceVariant, transferred span: TransferSpan,
    isUnseen: Bool, at now: Duration
  ) {
    if let entry = entries[variant], span.isOlder(than: entry.span) { return }
    remove(variant)
    let (total, overflows) = max(0, own).addingReportingOverflow(variant.key.cost)
    guard !overflows, total <= limit else { return }
    while cost > limit - total, let oldest = order.first { remove(oldest) }
    entries[variant] = Entry(
      value: value, cost: total, expiry: now + lifetime, span: span, isUnseen: isUnseen)
    sizes[variant.key, default: []].append(variant.size)
    order.append(variant)
    cost += total
    if isUnseen {
      unseen.append(variant)
      unseenCost += total
    }
    highestCost = max(highestCost, cost)
  }

  /// Counts a prefetched value as any other one, because it is no longer expected to be shown.
  mutating func markSeen(_ variant: ResourceVariant) {
    guard let entry = entries[variant], entry.isUnseen else { return }
    entries[variant]?.isUnseen = false
    unseen.remove(variant)
    unseenCost -= entry.cost
  }

  /// Counts prefetched values that have expired as any other one, because they no longer answer a load.
  mutating func markExpired(at now: Duration) {
    while let first = unseen.first, let entry = entries[first], now >= entry.expiry { markSeen(first) }
  }

  /// Takes the values that are no longer kept, whose `deinit` may be the code of others.
  mutating func takeEvicted() -> [Value] {
    guard !evicted.isEmpty else { return [] }
    defer { evicted = [] }
    return evicted
  }

  /// Removes all values.
  mutating func removeAll() {
    evicted += entries.values.map(\.value)
    entries = [:]
    sizes = [:]
    (order, unseen) = (LinkedOrder(), LinkedOrder())
    (cost, unseenCost) = (0, 0)
  }

  private mutating func remove(_ variant: ResourceVariant) {
    order.remove(variant)
    unseen.remove(variant)
    guard let entry = entries.removeValue(forKey: variant) else { return }
    evicted.append(entry.value)
    cost -= entry.cost
    if entry.isUnseen { unseenCost -= entry.cost }
    var others = sizes[variant.key] ?? []
    others.removeAll { $0 == variant.size }
    sizes[variant.key] = others.isEmpty ? nil : others
  }

  /// Whether a size is the better placeholder for a wanted one; the resource's own size covers all others.
  private static func isBetter(_ size: PixelSize?, than other: PixelSize?, for wanted: PixelSize?) -> Bool {
    func covers(_ size: PixelSize?, _ other: PixelSize?) -> Bool {
      guard let size else { return true }
      return other.map(size.covers) ?? false
    }
    let (isEnough, isOtherEnough) = (covers(size, wanted), covers(other, wanted))
    if isEnough != isOtherEnough { return isEnough }
    return isEnough ? covers(other, size) : covers(size, other)
  }
}
