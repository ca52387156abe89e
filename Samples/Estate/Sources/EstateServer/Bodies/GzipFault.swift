/// Why bytes could not be gzip-decoded or coded.
enum GzipFault: Error, Equatable {
  /// The bytes are no gzip stream, are cut short or have the wrong checksum.
  case damaged
  /// Decoding would give more bytes than the limit.
  case tooLarge
  /// zlib could not start, which means it has no memory.
  case unavailable
}
