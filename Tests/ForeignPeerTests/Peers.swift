import LoopbackServing
import Testing

/// An httpbin, and both clients of it.
enum Peers {
  /// As in `requests`; the default of this package is 20.
  static let redirectLimit = 30

  /// Makes the calls with both clients, expects that httpbin responds to both alike, and returns what it
  /// responded.
  ///
  /// The results are those of this package.
  static func results(
    of calls: [PeerCall], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [PeerResult] {
    let server = try await HTTPBinServer()
    let theirs = try await RequestsClient.results(
      of: calls, at: server.authority, redirectLimit: redirectLimit)
    let ours = try await SwitchyardClient(at: server.authority, redirectLimit: redirectLimit)
      .results(of: calls)
    #expect(ours.count == calls.count && theirs.count == calls.count, sourceLocation: sourceLocation)
    for (call, (own, other)) in zip(calls, zip(ours, theirs)) {
      #expect(
        own.agrees(with: other), "\(call.method) \(call.path): \(own.json); requests: \(other) \(other.json)",
        sourceLocation: sourceLocation)
    }
    return ours
  }

  /// Makes the calls with this package alone, where `requests` departs from the specifications.
  static func ownResults(of calls: [PeerCall]) async throws -> [PeerResult] {
    let server = try await HTTPBinServer()
    return try await SwitchyardClient(at: server.authority, redirectLimit: redirectLimit).results(of: calls)
  }
}
