/// How much memory libcurl receives into at a time, for each transfer.
///
/// A large answer comes in fewer pieces where there is more: 1 MiB over HTTP/1.1 takes less than half the
/// time with 128 KiB that it takes with libcurl's 16. Only what an answer fills of it is ever touched.
struct ReceiveBuffer {
  /// libcurl's default.
  private static let least = 16 << 10
  /// The most that is worth it.
  private static let most = 128 << 10
  /// What all transfers together may take, as long as that is more than libcurl's default for each.
  private static let whole = 32 << 20

  /// The number of bytes.
  let size: Int

  /// What a transfer gets whose connection is its own.
  ///
  /// It is more than libcurl reads of a connection at a time, so that such a transfer never has to leave
  /// bytes behind.
  static let alone = ReceiveBuffer(transfers: 1)

  /// Works out what each transfer of a thread may take.
  ///
  /// - Parameter transfers: The most that run at a time.
  init(transfers: Int) { size = min(max(Self.whole / max(transfers, 1), Self.least), Self.most) }
}
