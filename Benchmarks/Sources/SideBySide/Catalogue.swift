import Measuring

/// Every experiment, with its bars.
enum Catalogue {
  static let experiments: [Experiment] = wire + chain + costs + memory

  private static func vs(
    _ name: String, _ unit: Unit, _ peers: [(Peer, Bar?)]
  ) -> [Experiment.Comparison] {
    peers.map { peer, bar in
      Experiment.Comparison(figure: Figure("\(name).vs-\(peer.rawValue)", unit, bar: bar), peer: peer)
    }
  }

  private static func alone(_ name: String, _ unit: Unit, _ bar: Bar? = nil) -> Experiment.Comparison {
    Experiment.Comparison(figure: Figure(name, unit, bar: bar), peer: nil)
  }

  // MARK: Over the wire

  private static let h1 = WireShape(isHTTP2: false, inFlight: 64, requests: 40_000)
  private static let h2 = WireShape(isHTTP2: true, inFlight: 64, requests: 40_000)

  private static let wire: [Experiment] = [
    Experiment(
      .wire(WireShape(isHTTP2: false, inFlight: 1, requests: 20_000)),
      vs(
        "h1.1", .requestsPerSecond,
        [
          (.cProgram, .ratioAtLeast(0.75)), (.asyncHTTPClient, .ratioAtLeast(2.5)), (.urlSession, nil),
          (.okHttp, nil),
        ])),
    Experiment(
      .wire(WireShape(isHTTP2: false, inFlight: 1, requests: 20_000)), subject: .oursOnLoop,
      vs("h1.1.on-loop", .requestsPerSecond, [(.cProgram, nil), (.asyncHTTPClient, nil)])),
    Experiment(
      .wire(h1),
      vs(
        "h1.64", .requestsPerSecond,
        [
          (.cProgram, .ratioAtLeast(0.90)), (.asyncHTTPClient, .ratioAtLeast(1.5)),
          (.urlSession, .ratioAtLeast(10)), (.okHttp, .ratioAtLeast(1.2)),
        ])),
    Experiment(
      .wire(h1), subject: .oursStandardSix,
      vs("h1.64.standard-six", .requestsPerSecond, [(.ours, nil)])),
    Experiment(
      .wire(h1), subject: .oursOnLoop, vs("h1.64.on-loop", .requestsPerSecond, [(.cProgram, nil)])),
    Experiment(
      .wire(WireShape(isHTTP2: false, inFlight: 512, requests: 40_000)),
      vs("h1.512", .requestsPerSecond, [(.cProgram, nil), (.asyncHTTPClient, nil), (.okHttp, nil)])),
    Experiment(
      .wire(WireShape(isHTTP2: false, inFlight: 64, file: "1m", requests: 2_000)),
      vs("h1.64.1m", .megabytesPerSecond, [(.cProgram, nil), (.asyncHTTPClient, nil), (.okHttp, nil)])),
    Experiment(
      .wire(WireShape(isHTTP2: true, inFlight: 1, requests: 20_000)),
      vs("h2.1", .requestsPerSecond, [(.cProgram, nil), (.asyncHTTPClient, nil), (.okHttp, nil)])),
    Experiment(
      .wire(h2),
      vs(
        "h2.64", .requestsPerSecond,
        [
          (.cProgram, .ratioAtLeast(1.0)), (.asyncHTTPClient, .ratioAtLeast(1.8)),
          (.okHttp, .ratioAtLeast(1.0)),
        ])),
    Experiment(
      .wire(h2), subject: .oursOnLoop, vs("h2.64.on-loop", .requestsPerSecond, [(.cProgram, nil)])),
    Experiment(
      .wire(WireShape(isHTTP2: true, inFlight: 512, requests: 40_000)),
      vs("h2.512", .requestsPerSecond, [(.cProgram, nil), (.asyncHTTPClient, nil), (.okHttp, nil)])),
    Experiment(
      .wire(WireShape(isHTTP2: true, inFlight: 64, file: "1m", requests: 1_000)),
      vs("h2.64.1m", .megabytesPerSecond, [(.cProgram, nil), (.asyncHTTPClient, nil), (.okHttp, nil)])),
  ]

  // MARK: The chain over a stub

  private static let chain: [Experiment] = [
    Experiment(.chain(ChainShape(name: "none")), [alone("chain.none", .microseconds)]),
    Experiment(.chain(.warm("none")), vs("chain.none", .microseconds, [(.okHttp, nil)])),
    Experiment(
      .chain(ChainShape(name: "six-passing")),
      [alone("chain.six-passing", .microseconds, .atMost(0.42))]),
    Experiment(
      .chain(.early("six-passing")),
      vs("chain.six-passing.early", .microseconds, [(.okHttp, nil)])),
    Experiment(
      .chain(.warm("six-passing")),
      vs("chain.six-passing", .microseconds, [(.okHttp, .ratioAtMost(0.5))])),
    Experiment(
      .chain(.warm("six-nested")),
      vs("chain.six-nested", .microseconds, [(.okHttp, nil)])),
    Experiment(.chain(ChainShape(name: "six-bare")), [alone("chain.six-bare", .microseconds)]),
    Experiment(
      .chain(ChainShape(name: "standard-six")), [alone("chain.standard-six", .microseconds, .atMost(8))]),
    Experiment(
      .chain(ChainShape(name: "standard-six-logged")), [alone("chain.standard-six-logged", .microseconds)]),
    Experiment(
      .chain(ChainShape(name: "cache-hit")), [alone("chain.cache-hit", .microseconds, .atMost(4))]),
    Experiment(.chain(ChainShape(name: "caching-alone")), [alone("chain.caching-alone", .microseconds)]),
    Experiment(
      .chainObjects("six-passing"), [alone("chain.six-passing.heap-objects", .blocks, .atMost(0))]),
    Experiment(.chainObjects("standard-six"), [alone("chain.standard-six.heap-objects", .blocks)]),
  ]

  // MARK: What a request costs

  private static let costs: [Experiment] = [
    Experiment(
      .instructions(h1),
      vs("instructions.h1.64", .instructions, [(.cProgram, .ratioAtMost(1.10))])),
    Experiment(
      .instructions(h2),
      vs("instructions.h2.64", .instructions, [(.cProgram, .ratioAtMost(1.10))])),
    Experiment(.allocations(h1), vs("allocations.h1.64", .blocks, [(.cProgram, nil)])),
    Experiment(.allocations(h2), vs("allocations.h2.64", .blocks, [(.cProgram, nil)])),
  ]

  // MARK: Memory

  private static let memory: [Experiment] = [
    Experiment(
      .memory(.slowReader(isHTTP2: false)), [alone("memory.slow-reader.h1", .mebibytes, .atMost(64))]),
    Experiment(
      .memory(.slowReader(isHTTP2: true)), [alone("memory.slow-reader.h2", .mebibytes, .atMost(64))]),
    Experiment(
      .memory(.inFlight(isHTTP2: false)), [alone("memory.1024.h1", .mebibytes, .atMost(96))]),
    Experiment(
      .memory(.inFlight(isHTTP2: true)), [alone("memory.1024.h2", .mebibytes, .atMost(96))]),
  ]
}
