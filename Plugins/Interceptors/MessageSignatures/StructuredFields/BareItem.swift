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
