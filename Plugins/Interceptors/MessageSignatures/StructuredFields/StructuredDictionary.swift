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

/// A value with parameters.
struct StructuredItem: Sendable, Hashable {
  var value: BareItem
  var parameters = StructuredParameters()
}

/// A list of items in parentheses, with parameters of its own.
struct StructuredInnerList: Sendable, Hashable {
  var items: [StructuredItem]
  var parameters = StructuredParameters()
}

/// A member of a list or a dictionary.
enum StructuredMember: Sendable, Hashable {
  case item(StructuredItem)
  case innerList(StructuredInnerList)
}

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

/// A value without parameters of a structured field (RFC 9651, section 3.3).
enum BareItem: Sendable, Hashable {
  /// A number of at most 15 digits.
  case integer(Int64)
  /// A number with at most three digits after the point, in thousandths.
  case decimal(thousandths: Int64)
  /// Printable ASCII characters.
  case string(String)
  case token(String)
  case bytes([UInt8])
  case boolean(Bool)
  /// Seconds since 1970.
  case date(Int64)
  /// Any Unicode text.
  case displayString(String)
}
