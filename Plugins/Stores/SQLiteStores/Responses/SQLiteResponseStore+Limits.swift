#if SQLite
extension SQLiteResponseStore {
  /// The limits of a store on a disk.
  public struct Limits: Sendable, Hashable {
    /// The maximum size of the directory, in bytes; 150 MiB.
    ///
    /// SQLite's write-ahead log may exceed it by a twentieth for a short time.
    public var bytes: Int
    /// The maximum size of one response, in bytes; a tenth of ``bytes`` by default.
    ///
    /// A larger response is not stored.
    public var responseBytes: Int
    /// The maximum number of responses; 65,536.
    public var responses: Int
    /// How long a response is kept after it became stale, for revalidation and for use without a network; 30
    /// days.
    public var staleFor: Duration

    /// Creates limits; negative values are treated as zero.
    public init(
      bytes: Int = 150 << 20, responseBytes: Int? = nil, responses: Int = 65_536,
      staleFor: Duration = .seconds(30 * 86_400)
    ) {
      self.bytes = max(0, bytes)
      self.responseBytes = max(0, min(responseBytes ?? bytes / 10, bytes))
      self.responses = max(0, responses)
      self.staleFor = max(.zero, staleFor)
    }
  }
}
#endif
