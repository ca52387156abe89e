/// A reply in the serialization protocol of Redis (RESP2), as far as the commands of a store have one.
enum RESPReply: Sendable, Hashable {
  /// A status, such as `OK`.
  case status(String)
  /// An error, such as `OOM command not allowed when used memory > 'maxmemory'`.
  case error(String)
  /// A string of bytes.
  case bytes([UInt8])
  /// A number, such as that of the keys that were deleted.
  case integer(Int)
  /// The absence of a value.
  case null
  /// A reply that no command of a store has, such as an array.
  case unexpected
}
