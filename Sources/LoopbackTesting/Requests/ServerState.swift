#if LoopbackTesting
/// The shared state of all connections of a server: its counts, received requests and remaining script.
struct ServerState: Sendable {
  var counts = LoopbackCounts()
  var requests: [LoopbackRequest] = []
  var taken = 0
  var script: [LoopbackResponse] = []
  var isStopped = false

  /// Returns the next request that was not taken yet.
  mutating func takeRequest() -> LoopbackRequest? {
    guard taken < requests.count else { return nil }
    defer { taken += 1 }
    return requests[taken]
  }

  mutating func takeResponse() -> LoopbackResponse? { script.isEmpty ? nil : script.removeFirst() }
}
#endif
