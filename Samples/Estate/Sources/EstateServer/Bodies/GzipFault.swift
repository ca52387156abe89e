/// Why bytes could not be gzip-coded or decoded.
enum GzipFault: Error, Equatable {
  /// The bytes are not a gzip stream, are cut short or have the wrong checksum.
  case damaged
  /// The decoded bytes would exceed the limit.
  case tooLarge
  /// zlib could not allocate its state.
  case unavailable
}
