/// The current redirect table, the previous ones, and the minimum version of the next one.
struct RedirectHistory: Sendable {
  /// The maximum number of previous tables.
  static let depth = 8

  private(set) var current: CheckedTable?
  /// The previous tables, latest last; nil means no table.
  private var earlier: [CheckedTable?] = []
  /// The minimum version of the next table.
  ///
  /// It never decreases, so an old table cannot be replayed.
  private(set) var minimumVersion: Int

  init(minimumVersion: Int) { self.minimumVersion = minimumVersion }

  /// Returns whether the table differs from the current one.
  ///
  /// - Throws: `.notNewer` if it differs and its version is below the minimum.
  func isNew(_ table: RedirectTable) throws(RedirectTableError) -> Bool {
    if current?.table == table { return false }
    if table.version < minimumVersion {
      throw .notNewer(version: table.version, minimum: minimumVersion)
    }
    return true
  }

  mutating func activate(_ checked: CheckedTable) {
    earlier.append(current)
    if earlier.count > Self.depth { earlier.removeFirst() }
    current = checked
    minimumVersion = checked.version == .max ? .max : checked.version + 1
  }

  /// Restores the previous table, or none if none is remembered.
  mutating func revert() { current = earlier.popLast() ?? nil }

  mutating func clear() {
    earlier = []
    current = nil
  }
}
