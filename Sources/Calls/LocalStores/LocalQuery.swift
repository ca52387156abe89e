#if SQLite
/// The items of a collection to read or to observe: all, or those in a range of an index, in order.
///
/// ```swift
/// let range = LocalQuery(notes, by: byHome, from: 42, through: 42)
/// let latest = LocalQuery(notes, by: byTime, isDescending: true, limit: 20)
/// ```
public struct LocalQuery<Item: Codable & Identifiable & Sendable>: Sendable
where Item.ID: Codable & Sendable {
  let collection: LocalCollection<Item>
  let range: LocalRange

  /// Creates a query for all items, in the order in which they were first written.
  ///
  /// - Parameters:
  ///   - isDescending: Whether the last item is the first one of the result.
  ///   - limit: The maximum number of items; nil for all.
  public init(_ collection: LocalCollection<Item>, isDescending: Bool = false, limit: Int? = nil) {
    self.collection = collection
    range = LocalRange(isDescending: isDescending, limit: limit)
  }

  /// Creates a query for the items that an index has, sorted by it, and those with equal values in the order
  /// in which they were first written.
  ///
  /// - Parameters:
  ///   - index: An index of the collection.
  ///   - lower: The lowest value; nil for no bound.
  ///   - upper: The highest value; nil for no bound.
  ///   - isDescending: Whether the order is reversed.
  ///   - limit: The maximum number of items; nil for all.
  public init<Value>(
    _ collection: LocalCollection<Item>, by index: LocalIndex<Item, Value>, from lower: Value? = nil,
    through upper: Value? = nil, isDescending: Bool = false, limit: Int? = nil
  ) {
    self.collection = collection
    range = LocalRange(
      index: index.name, lower: lower.map(\.localIndexKey), upper: upper.map(\.localIndexKey),
      isDescending: isDescending, limit: limit)
  }
}

/// The range and the order of a query, and how rows of the file and changes that aren't in it are joined.
struct LocalRange: Sendable, Hashable {
  /// An item as it is found: in the file, or among the changes.
  struct Found: Sendable, Hashable {
    let id: String
    let json: [UInt8]
    /// What the query's index has of it; nil without an index.
    let key: LocalIndexKey.Storage?
    /// The number of its row; the maximum if it has none.
    let sequence: Int64
    /// Its place among those that have no row.
    var number = 0
  }

  /// The name of the index; nil for all items.
  let index: String?
  let lower: LocalIndexKey.Storage?
  let upper: LocalIndexKey.Storage?
  /// Whether a bound is not a number, so that no item is in the range.
  let isEmpty: Bool
  let isDescending: Bool
  /// The maximum number of items; nil for all.
  let limit: Int?

  init(
    index: String? = nil, lower: LocalIndexKey? = nil, upper: LocalIndexKey? = nil,
    isDescending: Bool = false, limit: Int? = nil
  ) {
    self.index = index
    self.lower = lower?.storage
    self.upper = upper?.storage
    isEmpty = lower != nil && lower?.storage == nil || upper != nil && upper?.storage == nil
    self.isDescending = isDescending
    self.limit = limit.map { max($0, 0) }
  }

  /// The number of rows to read, if some of them may have been changed since.
  func rowLimit(changes count: Int) -> Int64 {
    guard let limit else { return -1 }
    let (sum, isOverflow) = limit.addingReportingOverflow(count)
    return isOverflow ? -1 : Int64(sum)
  }

  /// Whether an item is in the range, by what its collection's indexes have of it.
  ///
  /// - Returns: The key by which it is sorted, which is nil without an index; nil if it isn't in the range.
  func key(among entries: [LocalIndexEntry]) -> LocalIndexKey.Storage?? {
    guard let index else { return .some(nil) }
    guard !isEmpty, let key = entries.first(where: { $0.name == index })?.key else { return nil }
    if let lower, key < lower { return nil }
    if let upper, upper < key { return nil }
    return .some(key)
  }

  /// Returns the result of the query: the rows that weren't changed since, and what was changed, in order.
  func joined(_ rows: [Found], _ changed: [Found]) -> [Found] {
    var all = rows + changed
    if !changed.isEmpty {
      all.sort { isDescending ? Self.precedes($1, $0) : Self.precedes($0, $1) }
    }
    return limit.map { Array(all.prefix($0)) } ?? all
  }

  private static func precedes(_ left: Found, _ right: Found) -> Bool {
    if let former = left.key, let latter = right.key, former != latter { return former < latter }
    return (left.sequence, left.number) < (right.sequence, right.number)
  }
}
#endif
