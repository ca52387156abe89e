import Measuring

/// Every experiment, with its bars.
enum Catalogue {
  static let experiments: [Experiment] =
    wire + http3 + waking + webSockets + chain + appChain + apis + activity + stores + trust + costs + memory

  private static func vs(
    _ name: String, _ unit: Unit, _ peers: [(Peer, Bar?)]
  ) -> [Experiment.Comparison] {
    peers.map { peer, bar in
      Experiment.Comparison(figure: Figure("\(name).vs-\(peer.rawValue)", unit, bar: bar), peer: peer)
    }
  }

  /// A figure relative to the bare chain, in time and in instructions.
  ///
  /// - Parameters:
  ///   - time: The maximum ratio of the times; nil for none.
  ///   - instructions: The maximum ratio of the instructions; nil for none.
  private static func besideBare(
    _ name: String, _ subject: Peer = .ours, shape: String, time: Double? = nil, instructions: Double? = nil,
    maximumInstructions: Double? = nil
  ) -> [Experiment] {
    let shape = ChainShape(name: shape)
    let instructionBar = maximumInstructions.map { Bar.atMost($0) } ?? instructions.map { .ratioAtMost($0) }
    return [
      Experiment(
        .chain(shape), subject: subject,
        vs(name, .microseconds, [(.bareChain, time.map { .ratioAtMost($0) })])),
      Experiment(
        .chainInstructions(shape), subject: subject,
        vs("instructions.\(name)", .instructions, [(.bareChain, instructionBar)])),
    ]
  }

  private static func alone(
    _ name: String, _ unit: Unit, _ bar: Bar? = nil, of quantity: Experiment.Quantity = .result
  ) -> Experiment.Comparison {
    Experiment.Comparison(figure: Figure(name, unit, bar: bar), peer: nil, quantity: quantity)
  }

  // MARK: Over the wire

  static let h1 = WireShape(version: .http1, inFlight: 64, requests: 20_000)
  private static let h1Document = WireShape(
    version: .http1, inFlight: 64, file: "homes.json", requests: 10_000)
  private static let h2 = WireShape(version: .http2, inFlight: 64, requests: 20_000)

  /// A figure beside the C program, and with it the processor time and the context switches of a request.
  ///
  /// - Parameters:
  ///   - bar: The bar of the rate.
  ///   - hasBars: Whether the two other figures have the bars of the design.
  private static func waking(
    _ name: String, _ shape: WireShape, _ subject: Peer = .ours, bar: Bar? = nil, hasBars: Bool = false
  ) -> Experiment {
    Experiment(
      .wire(shape), subject: subject,
      [
        Experiment.Comparison(
          figure: Figure("\(name).vs-c", .requestsPerSecond, bar: bar), peer: .cProgram),
        Experiment.Comparison(
          figure: Figure("\(name).cpu.vs-c", .microseconds, bar: hasBars ? .ratioAtMost(1.3) : nil),
          peer: .cProgram, quantity: .processorTime),
        Experiment.Comparison(
          figure: Figure("\(name).switches.vs-c", .switches, bar: hasBars ? .atMostAbovePeer(0.1) : nil),
          peer: .cProgram, quantity: .switches),
      ])
  }

  /// What waking threads costs: with each way to wait, alone and beside a program that computes.
  private static let waking: [Experiment] = [false, true].flatMap { isBusy in
    [1, 8, 64].flatMap { inFlight in
      [Peer.ours, .oursWithoutSpinning, .oursOnLoop].map { subject in
        let name =
          "h1.\(inFlight)" + (subject == .ours ? "" : ".\(subject.rawValue)") + (isBusy ? ".busy" : "")
        // The same loads as those of the rates, beside which they run.
        let shape = WireShape(
          version: .http1, inFlight: inFlight, requests: inFlight == 64 ? h1.requests : 10_000, isBusy: isBusy
        )
        return waking(
          "waking.\(name)", shape, subject, hasBars: inFlight == 64 && subject == .ours && !isBusy)
      }
    }
  }

  private static let wire: [Experiment] = [
    Experiment(
      .wire(WireShape(version: .http1, inFlight: 1, requests: 10_000)),
      vs(
        "h1.1", .requestsPerSecond,
        [
          (.cProgram, .ratioAtLeast(0.75)), (.asyncHTTPClient, .ratioAtLeast(1.5)), (.urlSession, nil),
          (.okHttp, nil),
        ])),
    Experiment(
      .wire(WireShape(version: .http1, inFlight: 1, requests: 10_000)), subject: .oursOnLoop,
      vs(
        "h1.1.on-loop", .requestsPerSecond, [(.cProgram, .ratioAtLeast(0.85)), (.asyncHTTPClient, nil)])),
    Experiment(
      .wire(h1),
      vs(
        "h1.64", .requestsPerSecond,
        [
          (.cProgram, .ratioAtLeast(0.85)), (.asyncHTTPClient, .ratioAtLeast(1.5)),
          (.urlSession, .ratioAtLeast(10)), (.okHttp, .ratioAtLeast(1.2)),
        ])),
    Experiment(
      .wire(h1), subject: .oursStandardSix,
      [
        Experiment.Comparison(
          figure: Figure("h1.64.standard-six.vs-bare", .requestsPerSecond, bar: .ratioAtLeast(0.80)),
          peer: .ours),
        Experiment.Comparison(
          figure: Figure("h1.64.standard-six.vs-okhttp-bare", .requestsPerSecond, bar: .ratioAtLeast(1.4)),
          peer: .okHttp),
      ]),
    Experiment(
      .wire(h1), subject: .oursAppChain,
      [
        Experiment.Comparison(
          figure: Figure("h1.64.app-chain.vs-bare", .requestsPerSecond, bar: .ratioAtLeast(0.60)),
          peer: .ours),
        Experiment.Comparison(
          figure: Figure("h1.64.app-chain.vs-okhttp-bare", .requestsPerSecond, bar: .ratioAtLeast(1.2)),
          peer: .okHttp),
        Experiment.Comparison(
          figure: Figure("h1.64.app-chain.vs-okhttp-chain", .requestsPerSecond, bar: .ratioAtLeast(1.5)),
          peer: .okHttpChain),
      ]),
    Experiment(
      .wire(h1), subject: .oursUncachedAppChain,
      [
        Experiment.Comparison(
          figure: Figure(
            "h1.64.app-chain.uncached.vs-okhttp-chain", .requestsPerSecond, bar: .ratioAtLeast(1.5)),
          peer: .okHttpUncachedChain)
      ]),
    // The same document as it is, and as gzip with each side's decoder.
    Experiment(.wire(h1Document), vs("h1.64.document", .requestsPerSecond, [(.cProgram, nil)])),
    Experiment(
      .wire(h1Document), subject: .oursDecoding,
      vs("h1.64.document.gzip", .requestsPerSecond, [(.cProgramDecoding, nil), (.ours, nil)])),
    Experiment(
      .wire(h1), subject: .oursOnLoop, vs("h1.64.on-loop", .requestsPerSecond, [(.cProgram, nil)])),
    Experiment(
      .wire(WireShape(version: .http1, inFlight: 512, requests: 20_000)),
      vs("h1.512", .requestsPerSecond, [(.cProgram, nil), (.asyncHTTPClient, nil), (.okHttp, nil)])),
    Experiment(
      .wire(WireShape(version: .http1, inFlight: 64, file: "1m", requests: 1_000)),
      vs("h1.64.1m", .megabytesPerSecond, [(.cProgram, nil), (.asyncHTTPClient, nil), (.okHttp, nil)])),
    Experiment(
      .wire(WireShape(version: .http2, inFlight: 1, requests: 10_000)),
      vs("h2.1", .requestsPerSecond, [(.cProgram, nil), (.asyncHTTPClient, nil), (.okHttp, nil)])),
    Experiment(
      .wire(h2),
      vs(
        "h2.64", .requestsPerSecond,
        [
          (.cProgram, .ratioAtLeast(0.90)), (.asyncHTTPClient, .ratioAtLeast(1.5)),
          (.okHttp, .ratioAtLeast(1.0)),
        ])),
    Experiment(
      .wire(h2), subject: .oursOnLoop, vs("h2.64.on-loop", .requestsPerSecond, [(.cProgram, nil)])),
    Experiment(
      .wire(WireShape(version: .http2, inFlight: 512, requests: 20_000)),
      vs("h2.512", .requestsPerSecond, [(.cProgram, nil), (.asyncHTTPClient, nil), (.okHttp, nil)])),
    Experiment(
      .wire(WireShape(version: .http2, inFlight: 64, file: "1m", requests: 1_000)),
      vs("h2.64.1m", .megabytesPerSecond, [(.cProgram, nil), (.asyncHTTPClient, nil), (.okHttp, nil)])),
  ]

  // MARK: HTTP/3

  private static let h3 = WireShape(version: .http3, inFlight: 64, requests: 20_000)

  /// Beside the C program on the same libcurl, and beside ours over HTTP/2 to the same server.
  private static let http3: [Experiment] = [
    Experiment(
      .wire(WireShape(version: .http3, inFlight: 1, requests: 5_000)),
      vs("h3.1", .requestsPerSecond, [(.cProgram, .ratioAtLeast(0.75)), (.oursOverHTTP2, nil)])),
    Experiment(
      .wire(h3), vs("h3.64", .requestsPerSecond, [(.cProgram, .ratioAtLeast(0.90)), (.oursOverHTTP2, nil)])),
    Experiment(
      .wire(WireShape(version: .http3, inFlight: 64, file: "1m", requests: 500)),
      vs("h3.64.1m", .megabytesPerSecond, [(.cProgram, nil), (.oursOverHTTP2, nil)])),
    Experiment(
      .lossy(.firstByte),
      vs("h3.lossy.first-byte", .milliseconds, [(.oursOverHTTP2, .ratioAtMost(1))])),
    Experiment(
      .lossy(.wire(WireShape(version: .http3, inFlight: 20, requests: 2_000))),
      vs("h3.lossy.20", .requestsPerSecond, [(.oursOverHTTP2, .ratioAtLeast(1))])),
    Experiment(
      .lossy(.wire(WireShape(version: .http3, inFlight: 20, file: "50k", requests: 80))),
      vs("h3.lossy.20.50k", .requestsPerSecond, [(.oursOverHTTP2, .ratioAtLeast(1))])),
    Experiment(
      .instructions(h3), vs("instructions.h3.64", .instructions, [(.cProgram, .ratioAtMost(1.15))])),
    Experiment(
      .memory(.slowReader(.http3)), [alone("memory.slow-reader.h3", .mebibytes, .atMost(64))]),
  ]

  // MARK: WebSockets, and connections opened before

  private static let webSockets: [Experiment] = [
    echo("1", EchoShape(inFlight: 1, messages: 10_000), bar: .ratioAtLeast(1.0)),
    echo("64", EchoShape(inFlight: 64, messages: 20_000), bar: .ratioAtLeast(1.0)),
    echo("64.text", EchoShape(inFlight: 64, isText: true, messages: 20_000), bar: .ratioAtLeast(1.0)),
    Experiment(
      .idleSockets(10_000),
      [
        alone("websocket.idle-10k.memory", .bytes),
        alone("websocket.idle-10k.cpu", .microseconds, of: .processorTime),
        alone("websocket.idle-10k.descriptors", .descriptors, .atMost(1.001), of: .descriptors),
        alone("websocket.idle-10k.threads", .threads, of: .threads),
        Experiment.Comparison(
          figure: Figure("websocket.idle-10k.memory.vs-python", .bytes), peer: .python),
        Experiment.Comparison(
          figure: Figure("websocket.idle-10k.cpu.vs-python", .microseconds), peer: .python,
          quantity: .processorTime),
      ]),
    Experiment(.pair(.firstByte), vs("preconnect.first-byte", .milliseconds, [(.unconnected, nil)])),
  ]

  private static func echo(_ name: String, _ shape: EchoShape, bar: Bar) -> Experiment {
    Experiment(
      .echo(shape),
      vs("websocket.echo.1k.\(name)", .requestsPerSecond, [(.cProgram, bar), (.python, nil)]))
  }

  // MARK: The chain over a stub

  private static let chain: [Experiment] =
    [
      Experiment(.chain(ChainShape(name: "none")), [alone("chain.none", .microseconds)]),
      Experiment(.chain(ChainShape(name: "six-bare")), [alone("chain.six-bare", .microseconds)]),
    ]
    + besideBare("chain.six-passing", shape: "six-passing", maximumInstructions: 9_000)
    + besideBare("chain.standard-six", shape: "standard-six")
    + besideBare("chain.standard-six-logged", shape: "standard-six-logged")
    + besideBare("chain.cache-hit", shape: "cache-hit", time: 7, instructions: 7)
    + besideBare("chain.inspected", shape: "inspected", instructions: 8)
    + besideBare("chain.inspected-steps", shape: "inspected-steps")
    + besideBare("chain.caching", shape: "caching-alone", instructions: 3)
    // What an interceptor adds is the difference to the chain without one.
    + besideBare("chain.none", shape: "none")
    + besideBare("chain.retry", shape: "retry-alone")
    + besideBare("chain.redirects", shape: "redirects-alone")
    + besideBare("chain.authorization", shape: "authorization-alone")
    + besideBare("chain.cookies", shape: "cookies-alone")
    + besideBare("chain.sharing", shape: "sharing-alone")
    + besideBare("chain.bypass", shape: "bypass-alone")
    + besideBare("chain.storm", .oursStorm, shape: "storm")
    + besideBare("mediator.open", .oursOpening, shape: "open", time: 6, instructions: 6)
    + [
      Experiment(.stormTransfers, [alone("chain.storm.transfers", .transfers, .atMost(1))]),
      Experiment(
        .chainObjects("six-passing"), [alone("chain.six-passing.heap-objects", .blocks, .atMost(0))]),
      Experiment(.chainObjects("standard-six"), [alone("chain.standard-six.heap-objects", .blocks)]),
      Experiment(.chain(.warm("none")), vs("chain.none", .microseconds, [(.okHttp, nil)])),
      Experiment(
        .chain(.early("six-passing")),
        vs("chain.six-passing.early", .microseconds, [(.okHttp, nil)])),
      Experiment(.chain(.warm("six-passing")), vs("chain.six-passing", .microseconds, [(.okHttp, nil)])),
    ]

  // MARK: The chain of an app

  /// What each part of an app's chain adds to it.
  private static let appChain: [Experiment] =
    besideBare("chain.app-chain", shape: "app-chain")
    + [Experiment(.chainObjects("app-chain"), [alone("chain.app-chain.heap-objects", .blocks)])]
    + AppChainPart.allCases.flatMap { part in
      [
        Experiment(.appChainInstructions(part), [alone("app-chain.\(part).instructions", .instructions)]),
        Experiment(
          .appChainObjects(part),
          [alone("app-chain.\(part).heap-objects", .blocks, part.maximumObjects.map { .atMost($0) })]),
      ]
    }

  // MARK: APIs

  private static let apis: [Experiment] =
    besideBare("apis.client.none", .oursAPIs, shape: "none", time: 5)
    + besideBare("apis.client.query", .oursAPIs, shape: "query", time: 8)
    + [
      Experiment(.apiObjects("none"), [alone("apis.client.none.heap-objects", .blocks, .atMost(10))]),
      Experiment(.apiObjects("query"), [alone("apis.client.query.heap-objects", .blocks, .atMost(10))]),
      Experiment(.pair(.manager), vs("apis.manager", .microseconds, [(.hop, .ratioAtMost(2))])),
      Experiment(.pair(.json), vs("apis.json", .megabytesPerSecond, [(.jsonDecoder, .ratioAtLeast(0.98))])),
    ]

  // MARK: The activity log

  private static let activity: [Experiment] = [
    Experiment(
      .recording(tasks: 64), [alone("activity.record.group", .requestsPerSecond, .atLeast(20_000))]),
    Experiment(.recording(tasks: 1), [alone("activity.record.single", .microseconds, .atMost(150))]),
    Experiment(.backlogTime, [alone("activity.backlog.open", .milliseconds, .atMost(200))]),
    Experiment(.backlogMemory, [alone("activity.backlog.memory", .mebibytes, .atMost(32))]),
  ]

  // MARK: The cache on a disk

  private static let stores: [Experiment] = [
    Experiment(
      .diskHit,
      [alone("stores.disk.hit", .microseconds, .atMost(40))]
        + vs("stores.disk.hit", .microseconds, [(.cLibrary, .ratioAtMost(4))])),
    Experiment(
      .diskReaders, vs("stores.disk.8-readers", .requestsPerSecond, [(.oneReader, .ratioAtLeast(1.6))])),
    Experiment(.diskBurst, [alone("stores.disk.hit-in-burst", .milliseconds, .atMost(2))]),
    Experiment(.diskOpening, [alone("stores.disk.open", .milliseconds, .atMost(100))]),
    // 1.1 x the limits of 64 and 256 MiB.
    Experiment(.flood(.memory), [alone("stores.flood.memory", .mebibytes, .atMost(70.4))]),
    Experiment(.flood(.disk), [alone("stores.flood.disk", .mebibytes, .atMost(281.6))]),
  ]

  // MARK: Signatures, digests, codings, nonces

  private static let trust: [Experiment] =
    besideBare("chain.signing", shape: "signing-alone")
    + besideBare("chain.verifying", .oursVerifying, shape: "verify")
    + besideBare("chain.message-signing", shape: "message-signing-alone")
    + besideBare("chain.standard-six-telemetry", shape: "standard-six-telemetry")
    + [
      Experiment(
        .body("digest"), vs("body.digest", .megabytesPerSecond, [(.openSSL, .ratioAtLeast(0.9))])),
      Experiment(
        .body("gzip"), vs("body.gzip", .megabytesPerSecond, [(.cLibrary, .ratioAtLeast(0.95))])),
      Experiment(
        .body("brotli"), vs("body.brotli", .megabytesPerSecond, [(.cLibrary, .ratioAtLeast(0.95))])),
      Experiment(
        .body("zstd"), vs("body.zstd", .megabytesPerSecond, [(.cLibrary, .ratioAtLeast(0.95))])),
      Experiment(.nonces, vs("nonces.claim", .microseconds, [(.cLibrary, .ratioAtMost(1.5))])),
    ]

  // MARK: What a request costs

  private static let costs: [Experiment] = [
    Experiment(
      .instructions(h1),
      vs("instructions.h1.64", .instructions, [(.cProgram, .ratioAtMost(1.25))])),
    Experiment(
      .instructions(h2),
      vs("instructions.h2.64", .instructions, [(.cProgram, .ratioAtMost(1.15))])),
    Experiment(.allocations(h1), vs("allocations.h1.64", .blocks, [(.cProgram, nil)])),
    Experiment(.allocations(h2), vs("allocations.h2.64", .blocks, [(.cProgram, nil)])),
  ]

  // MARK: Memory

  private static let memory: [Experiment] = [
    Experiment(
      .memory(.slowReader(.http1)), [alone("memory.slow-reader.h1", .mebibytes, .atMost(64))]),
    Experiment(
      .memory(.slowReader(.http2)), [alone("memory.slow-reader.h2", .mebibytes, .atMost(64))]),
    Experiment(
      .memory(.inFlight(.http1)), [alone("memory.1024.h1", .mebibytes, .atMost(96))]),
    Experiment(
      .memory(.inFlight(.http2)), [alone("memory.1024.h2", .mebibytes, .atMost(96))]),
  ]
}
