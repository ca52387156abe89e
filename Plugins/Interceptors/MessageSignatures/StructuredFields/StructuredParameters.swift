/// The parameters of an item or an inner list: unique keys in the order in which they were written.
struct StructuredParameters: Sendable, Hashable {
  private(set) var entries: [Entry] = []

  struct Entry: Sendable, Hashable {
    let key: String
    var value: BareItem
  }

  subscript(key: String) -> BareItem? { entries.first { $0.key == key }?.value }

  /// Sets a parameter; returns whether the key is new.
  ///
  /// A known key keeps its position (RFC 9651, section 4.2.3.2).
  @discardableResult
  mutating func set(_ key: String, to value: BareItem) -> Bool {
    if let index = entries.firstIndex(where: { $0.key == key }) {
      entries[index].value = value
      return false
    }
    entries.append(Entry(key: key, value: value))
    return true
  }
}
