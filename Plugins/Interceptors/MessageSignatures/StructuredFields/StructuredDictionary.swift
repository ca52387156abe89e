/// Unique keys with their values, in the order in which they were written.
struct StructuredMap<Value: Sendable & Hashable>: Sendable, Hashable {
  private(set) var entries: [Entry] = []

  struct Entry: Sendable, Hashable {
    let key: String
    var value: Value
  }

  subscript(key: String) -> Value? { entries.first { $0.key == key }?.value }

  /// Sets a value; returns whether the key is new.
  ///
  /// A known key keeps its position (RFC 9651, sections 4.2.2 and 4.2.3.2).
  @discardableResult
  mutating func set(_ key: String, to value: Value) -> Bool {
    if let index = entries.firstIndex(where: { $0.key == key }) {
      entries[index].value = value
      return false
    }
    entries.append(Entry(key: key, value: value))
    return true
  }
}

/// A dictionary.
typealias StructuredDictionary = StructuredMap<StructuredMember>

/// The parameters of an item or an inner list.
typealias StructuredParameters = StructuredMap<BareItem>

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
