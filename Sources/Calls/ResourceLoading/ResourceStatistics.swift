/// What a ``ResourceLoader`` has done so far, and what it keeps.
public struct ResourceStatistics: Sendable, Hashable {
  /// The number of transfers that were started; the pipeline's cache may have answered some of them.
  public internal(set) var transfers = 0
  /// The number of decodes that were started.
  public internal(set) var decodes = 0
  /// The number of loads that were answered by a decoded value.
  public internal(set) var hits = 0
  /// The memory of the decoded values that are kept, in bytes.
  public internal(set) var decodedBytes = 0
  /// The most memory that decoded values have taken, in bytes.
  var highestDecodedBytes = 0
  /// The number of loads that joined the transfer of another load or of a prefetch.
  var joins = 0
  /// The number of loads that wait for a result.
  var waiting = 0
}
