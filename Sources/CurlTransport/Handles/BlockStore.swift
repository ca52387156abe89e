import CCurlShims

/// What a loop's thread keeps of libcurl's freed memory for the next transfers.
///
/// It belongs to the thread that calls, and to nobody else: transfers of other threads take and give back as
/// they did.
enum BlockStore {
  /// The bytes that stay when nothing is under way.
  static let restingBytes = 1 << 20

  /// Whether more is kept than a thread at rest should.
  static var isLarge: Bool { switchyard_block_store_kept() > restingBytes }

  /// Begins to keep freed memory.
  static func open() { switchyard_block_store_open() }

  /// Gives back what a thread at rest should not keep.
  static func trim() { switchyard_block_store_trim(restingBytes) }

  /// Gives everything back.
  static func close() { switchyard_block_store_close() }
}
