#if LoopbackTesting
/// The shared state of all connections of a server: its counts, received requests and remaining script.
struct LoopbackLedger: Sendable {
  var census = LoopbackCensus()
  var requests: [LoopbackRequest] = []
  var taken = 0
  var script: [LoopbackAnswer] = []
  var isStopped = false

  /// Returns the next request that was not taken yet.
  mutating func takeRequest() -> LoopbackRequest? {
    guard taken < requests.count else { return nil }
    defer { taken += 1 }
    return requests[taken]
  }

  mutating func takeAnswer() -> LoopbackAnswer? { script.isEmpty ? nil : script.removeFirst() }
}
#endif
