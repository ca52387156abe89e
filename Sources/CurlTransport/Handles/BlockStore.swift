import CCurlShims

/// The calling thread's store of memory that libcurl freed, for its next transfers.
enum BlockStore {
  /// The maximum number of bytes that an idle thread keeps.
  static let restingBytes = 1 << 20

  /// Whether the store holds more than an idle thread should keep.
  static var isLarge: Bool { switchyard_block_store_kept() > restingBytes }

  static func open() { switchyard_block_store_open() }

  /// Frees what an idle thread should not keep.
  static func trim() { switchyard_block_store_trim(restingBytes) }

  static func close() { switchyard_block_store_close() }
}
