import Measuring

/// Measures loads over a network that delays and loses packets, in which HTTP/3 should be better than HTTP/2.
extension Bench {
  /// Runs a load, whose server is behind a line of its own.
  func lossy(_ experiment: Experiment, _ load: LossyLoad) -> [Outcome] {
    let server: Caddy
    do {
      server = try Caddy(programs, in: folder, behind: Caddy.Line(roundTrip: 0.05, loss: 0.01))
    } catch {
      return experiment.comparisons.map { Outcome($0.figure, .skipped("\(error)")) }
    }
    return switch load {
    case .wire(let shape): compare(experiment) { peer in try wire(peer, shape, from: server) }
    case .firstByte: compare(experiment) { peer in try firstByte(peer, server) }
    }
  }

  /// Returns the milliseconds until the head of a response over a new connection.
  private func firstByte(_ peer: Peer, _ server: Caddy) throws -> Double {
    let requests = isQuick ? 20 : 80
    let version = ["--http-version", peer == .oursOverHTTP2 ? "2" : "3"]
    let program = try programs.onNewestLibcurl(
      programs.ours("first-byte", server.url("1k") + version + ["--requests", "\(requests)"]))
    guard let seconds = try result(of: program, requests: requests).number("seconds") else {
      throw Trouble("\(peer.rawValue) printed no time")
    }
    return seconds / Double(requests) * 1e3
  }
}
