/// A value on the server from which its clients see whether it still has all nonces: the run id of the
/// process that created it, and the time of creation.
///
/// A server that was restarted has another run id, and one that was emptied has no marker. In both cases, a
/// client creates a new one, and nonces are complete only since then. A server that has read nonces from disk
/// counts as restarted, because the last ones before a crash may be missing.
struct NonceMarker: Sendable, Hashable {
  /// The run id of the server's process.
  let runID: String
  /// The second since which nonces are complete.
  let since: Int64

  /// Creates the marker of a server at a client's time, rounded up.
  init(runID: String, now: Int64) {
    self.runID = runID
    since = now + 1
  }

  /// Parses a marker's text; nil for any other text.
  init?(_ bytes: [UInt8]) {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let since = Int64(parts[1]),
      "\(parts[0]) \(since)".utf8.elementsEqual(bytes)
    else { return nil }
    runID = String(parts[0])
    self.since = since
  }

  /// The text that is stored.
  var text: String { "\(runID) \(since)" }
}
