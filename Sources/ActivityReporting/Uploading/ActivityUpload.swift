#if SQLite
public import Interception

/// How and when a log uploads its events.
///
/// ```swift
/// let upload = ActivityUpload(
///   Request(method: .post, authority: "log.example.com", path: "/activity"), batchCount: 50)
/// ```
public struct ActivityUpload: Sendable {
  /// The request of each upload, without its body; its priority is set to `.low`.
  ///
  /// `Content-Type`, `application/json` unless set, and `Idempotency-Key`, the batch's ID, are added.
  public var request: Request
  /// The number of waiting events at which a batch is uploaded, and the maximum of a batch; 30 by default.
  public var batchCount: Int
  /// The number of bytes of the waiting events at which a batch is uploaded, and the maximum of a batch with
  /// more than one event, before encoding; 512 KiB by default.
  public var batchBytes: Int
  /// The time after which fewer events are uploaded too; 60 s by default.
  public var interval: Duration
  /// Encodes a batch; as JSON by default, see ``ActivityBatch/json``.
  ///
  /// It must return the same bytes for the same batch. Compression is the pipeline's part.
  public var encode: @Sendable (ActivityBatch) -> [UInt8]

  /// Creates an upload.
  public init(
    _ request: Request, batchCount: Int = 30, batchBytes: Int = 512 << 10, interval: Duration = .seconds(60),
    encode: @escaping @Sendable (ActivityBatch) -> [UInt8] = \.json
  ) {
    self.request = request
    self.batchCount = min(max(batchCount, 1), Self.maximumBatchCount)
    self.batchBytes = max(batchBytes, 1)
    self.interval = max(interval, .zero)
    self.encode = encode
  }

  /// A batch is held in memory while it is uploaded.
  static let maximumBatchCount = 10_000
}
#endif
