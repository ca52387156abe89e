/// A dictionary: unique keys in the order in which they were written.
struct StructuredDictionary: Sendable, Hashable {
  private(set) var entries: [Entry] = []

  struct Entry: Sendable, Hashable {
    let key: String
    var member: StructuredMember
  }

  subscript(key: String) -> StructuredMember? { entries.first { $0.key == key }?.member }

  /// Sets a member; returns whether the key is new.
  ///
  /// A known key keeps its position (RFC 9651, section 4.2.2).
  @discardableResult
  mutating func set(_ key: String, to member: StructuredMember) -> Bool {
    if let index = entries.firstIndex(where: { $0.key == key }) {
      entries[index].member = member
      return false
    }
    entries.append(Entry(key: key, member: member))
    return true
  }
}
