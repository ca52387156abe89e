/// Which redirect table is in force, which were before it, and which version comes next.
struct RedirectHistory: Sendable {
  /// So many tables can be gone back to.
  static let depth = 8

  private(set) var current: RedirectSnapshot?
  /// What was in force before, the latest last; nil stands for no table.
  private var earlier: [RedirectSnapshot?] = []
  /// The lowest version to be taken; it never falls, or an old table could be brought back.
  private(set) var minimumVersion: Int

  init(minimumVersion: Int) { self.minimumVersion = minimumVersion }

  /// Whether the table would change anything.
  ///
  /// - Throws: `.notNewer`, unless it is the very table in force.
  func isNews(_ table: RedirectTable) throws(RedirectTableError) -> Bool {
    if current?.table == table { return false }
    if table.version < minimumVersion {
      throw .notNewer(version: table.version, minimum: minimumVersion)
    }
    return true
  }

  mutating func enter(_ snapshot: RedirectSnapshot) {
    earlier.append(current)
    if earlier.count > Self.depth { earlier.removeFirst() }
    current = snapshot
    minimumVersion = snapshot.version == .max ? .max : snapshot.version + 1
  }

  /// Goes back one table; further back than is known means to none.
  mutating func revert() { current = earlier.popLast() ?? nil }

  mutating func clear() {
    earlier = []
    current = nil
  }
}
