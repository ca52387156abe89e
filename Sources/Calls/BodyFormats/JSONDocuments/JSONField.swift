/// The key of an object together with the type of its value, for a constant.
///
/// ```
/// enum HouseFields {
///   static let price = JSONField<Int>("asking_price")
///   static let sold = JSONField<String?>("sold_on")
/// }
/// let price = try document["houses"][3][HouseFields.price]
/// ```
///
/// The type is ``JSONReadable``, or optional for a field that may be missing or null.
package struct JSONField<Value>: Sendable, Hashable {
  /// The key.
  package var name: String { String(decoding: utf8, as: UTF8.self) }

  let utf8: [UInt8]

  /// Creates a field from its key.
  package init(_ name: String) { utf8 = Array(name.utf8) }
}
