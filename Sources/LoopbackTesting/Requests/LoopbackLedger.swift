/// What happened at a server, and what it is to answer next; the shared state of all its connections.
struct LoopbackLedger: Sendable {
  var census = LoopbackCensus()
  var requests: [LoopbackRequest] = []
  var taken = 0
  var script: [LoopbackAnswer] = []
  var isStopped = false

  /// The next request that nobody has taken.
  mutating func takeRequest() -> LoopbackRequest? {
    guard taken < requests.count else { return nil }
    defer { taken += 1 }
    return requests[taken]
  }

  mutating func takeAnswer() -> LoopbackAnswer? { script.isEmpty ? nil : script.removeFirst() }
}
