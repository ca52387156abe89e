import Measuring

/// Measures WebSockets, and requests over connections that were opened before.
extension Bench {
  // MARK: Messages

  /// Returns the messages per second that a server sends back.
  func echo(_ peer: Peer, _ shape: EchoShape) throws -> Double {
    let messages = isQuick ? shape.messages / 4 : shape.messages
    let program = try programs.echo(peer, echoArguments(shape, requests: messages))
    let line = try result(of: program, requests: messages)
    guard let seconds = line.number("seconds"), seconds > 0 else {
      throw Trouble("\(peer.rawValue) printed no time")
    }
    return Double(messages) / seconds
  }

  /// Returns the instructions per message.
  func instructions(_ peer: Peer, _ shape: EchoShape) throws -> Double {
    try instructions.perRequest(of: peer, short: 500, long: 1_500) { messages in
      try programs.echo(peer, echoArguments(shape, requests: messages, warmUp: shape.inFlight))
    }
  }

  func echoArguments(_ shape: EchoShape, requests: Int, warmUp: Int? = nil) throws -> [String] {
    try [
      "--url", echoURL(), "--in-flight", "\(shape.inFlight)",
      "--warm-up", "\(warmUp ?? max(requests / 10, shape.inFlight * 2))", "--requests", "\(requests)",
    ] + (shape.isText ? ["--text"] : [])
  }

  private func echoURL() throws -> String { try "ws://127.0.0.1:\(echoServer.get().port)/" }

  // MARK: Idle connections

  /// The seconds of silence after which a connection sends a ping.
  private static let pingInterval = 10
  /// The seconds of idling, in which each connection sends a ping.
  private static let idleSeconds = pingInterval + 1

  /// Measures what idle connections take.
  func idleSockets(_ experiment: Experiment, _ count: Int) -> [Outcome] {
    if let reason = Machine.shortage(ofDescriptors: count + 100) {
      return experiment.comparisons.map { Outcome($0.figure, .skipped(reason)) }
    }
    return compare(experiment, rounds: 1) { (peer: Peer) throws -> [Experiment.Quantity: Double] in
      let line = try result(of: programs.idle(peer, idleArguments(count)), requests: count)
      guard let memory = line.number("memory-bytes"), let descriptors = line.number("descriptors"),
        let threads = line.number("threads"), let seconds = line.number("cpu-seconds")
      else { throw Trouble("\(peer.rawValue) printed no memory, descriptors, threads or time") }
      return [
        .result: memory / Double(count), .descriptors: descriptors / Double(count), .threads: threads,
        .processorTime: seconds / Double(count) * 1e6,
      ]
    }
  }

  func idleArguments(_ count: Int) throws -> [String] {
    try [
      "--url", echoURL(), "--size", "\(count)", "--seconds", "\(Self.idleSeconds)",
      "--ping-interval", "\(Self.pingInterval)",
    ]
  }

  // MARK: Connections that were opened before

  /// The arguments of first requests over HTTP/2 with TLS, each after one to the port without TLS.
  var firstByteArguments: [String] {
    get throws { try url(.http2, "1k") + ["--other-url", url(.http1, "1k")[1]] }
  }
}
