#if SQLite
public import Interception

/// The state of an ``ActivityLog``.
public struct ActivityStats: Sendable, Hashable {
  /// The number of events that wait, with those of the batch, of all accounts.
  public let waitingCount: Int
  /// The number of bytes that they take, before encoding.
  package let waitingBytes: Int
  /// The number of events that the server has refused, and of damaged ones.
  public let setAsideCount: Int
  /// The number of events that the server has accepted since the file was created.
  public let deliveredCount: Int
  /// The events lost since the file was created.
  public let lost: ActivityLoss
  /// The batch that is being uploaded, or will be uploaded again, for the account that uses the app; nil for
  /// none.
  package let batchID: String?
  /// The number of failed uploads since the last success.
  package let failedUploads: Int
  /// The time before which nothing is uploaded, after a failure; nil for none.
  public let nextUpload: WallTime?
  /// Why the last upload failed, even in an earlier process, such as `timeout_connect` or `status 503`; nil
  /// after a success.
  public let lastFailure: String?
}
#endif
