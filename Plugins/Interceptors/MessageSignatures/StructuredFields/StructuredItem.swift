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
