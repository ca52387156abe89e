#if SQLite
public import Foundation

/// A property by which the items of a collection are found and sorted.
///
/// ```swift
/// let byHome = LocalIndex("home") { (note: Note) in note.home }
/// ```
public struct LocalIndex<Item, Value: LocalIndexValue>: Sendable {
  /// The name, unique in the collection.
  package let name: String
  /// The property of an item.
  package let value: @Sendable (Item) -> Value?

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - name: The name. If `value` returns something else than before for stored items, give the index
  ///     another name: it is then computed again.
  ///   - value: Returns the property; nil for an item that the index doesn't have.
  public init(_ name: String, _ value: @escaping @Sendable (Item) -> Value?) {
    self.name = name
    self.value = value
  }
}

/// A value by which a ``LocalIndex`` sorts items.
///
/// `Int`, `Double`, `String`, `Bool`, `Date` and `UUID` conform to it.
public protocol LocalIndexValue: Sendable {
  /// The value as the file has it.
  var localIndexKey: LocalIndexKey { get }
}

/// A value of an index as the file has it.
///
/// Texts are sorted by the bytes of their composed form (NFC) in UTF-8, and not by the rules of a language.
public struct LocalIndexKey: Sendable, Hashable {
  enum Storage: Sendable, Hashable {
    case integer(Int64)
    case real(Double)
    case bytes([UInt8])
  }

  /// Nil for a number that isn't one, which no index has.
  let storage: Storage?

  init(_ storage: Storage?) { self.storage = storage }

  /// Creates the key of a number.
  public static func integer(_ number: Int64) -> LocalIndexKey { LocalIndexKey(.integer(number)) }

  /// Creates the key of a number; an item whose number is NaN isn't in the index.
  public static func real(_ number: Double) -> LocalIndexKey {
    // SQLite would store NaN as no value.
    LocalIndexKey(number.isNaN ? nil : .real(number))
  }

  /// Creates the key of a text.
  public static func text(_ text: String) -> LocalIndexKey {
    LocalIndexKey(.bytes(Array(text.precomposedStringWithCanonicalMapping.utf8)))
  }
}

extension LocalIndexKey.Storage: Comparable {
  /// The order of SQLite.
  static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
    // An index has values of one type.
    case (.integer, _): true
    case (.real, .bytes): true
    case (.real, .integer), (.bytes, _): false
    }
  }
}

extension Int: LocalIndexValue {
  /// The number.
  public var localIndexKey: LocalIndexKey { .integer(Int64(self)) }
}

extension Double: LocalIndexValue {
  /// The number.
  public var localIndexKey: LocalIndexKey { .real(self) }
}

extension String: LocalIndexValue {
  /// The text.
  public var localIndexKey: LocalIndexKey { .text(self) }
}

extension Bool: LocalIndexValue {
  /// 1 for true, 0 for false.
  public var localIndexKey: LocalIndexKey { .integer(self ? 1 : 0) }
}

extension Date: LocalIndexValue {
  /// The seconds since 2001.
  public var localIndexKey: LocalIndexKey { .real(timeIntervalSinceReferenceDate) }
}

extension UUID: LocalIndexValue {
  /// The digits.
  public var localIndexKey: LocalIndexKey { .text(uuidString) }
}
#endif
