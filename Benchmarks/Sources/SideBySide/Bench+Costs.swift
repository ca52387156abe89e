import Measuring

/// Measures the cost of a request in instructions, heap blocks and memory.
extension Bench {
  // MARK: Instructions

  /// Returns the instructions per request over the wire.
  func instructions(_ peer: Peer, _ shape: WireShape) throws -> Double {
    // Counts do not vary as times do, and counting is slow: a thousand requests suffice for the difference.
    let scale = shape.isLarge ? (isQuick ? 10 : 40) : max(500, shape.inFlight * 2)
    return try instructions.perRequest(of: peer, short: scale, long: scale * 3) { requests in
      try program(peer, shape, requests: requests, warmUp: shape.inFlight)
    }
  }

  /// Returns the instructions per call through a chain.
  func instructions(_ peer: Peer, _ shape: ChainShape) throws -> Double {
    guard peer == .oursAPIs else { return try chainInstructions(peer, shape) }
    return try chainInstructions(peer, shape, ["--part", "loads"])
      - chainInstructions(peer, shape, ["--part", "sends"])
  }

  private func chainInstructions(
    _ peer: Peer, _ shape: ChainShape, _ options: [String] = []
  ) throws -> Double {
    try instructions.perRequest(of: peer, short: 1_000, long: 3_000) { requests in
      try programs.chain(peer, shape, ["--warm-up", "200", "--requests", "\(requests)"] + options)
    }
  }

  /// Returns the instructions per call through the chain of an app, or what is left of it without a part.
  func appChainInstructions(without part: AppChainPart? = nil) throws -> Double {
    try chainInstructions(
      .ours, ChainShape(name: "app-chain"), part.map { ["--leaving-out", $0.rawValue] } ?? [])
  }

  // MARK: Heap blocks

  func allocations(_ peer: Peer, _ shape: WireShape) throws -> Double {
    let requests = isQuick ? 1_000 : 5_000
    return try blocks(
      programs.probe(
        peer == .cProgram ? "c-wire" : "wire", arguments(shape, requests: requests, warmUp: 0)))
  }

  func chainObjects(_ shape: String, _ options: [String] = []) throws -> Double {
    try blocks(programs.probe("chain", ["--shape", shape, "--requests", "10000"] + options))
  }

  /// Returns the heap blocks of a call through the chain of an app, or of what is left of it without a part.
  func appChainObjects(without part: AppChainPart? = nil) throws -> Double {
    try chainObjects("app-chain", part.map { ["--leaving-out", $0.rawValue] } ?? [])
  }

  /// Returns the heap blocks that a client's load adds to sending its request.
  func apiObjects(_ params: String) throws -> Double {
    let arguments = ["--params", params, "--requests", "10000"]
    return try blocks(programs.probe("apis", arguments))
      - blocks(programs.probe("apis", arguments + ["--sends"]))
  }

  func blocks(_ program: Program) throws -> Double {
    guard let blocks = try ResultLine(in: program.run().output)?.number("blocks") else {
      throw Trouble("the probe printed no count")
    }
    return blocks
  }

  // MARK: Memory

  func memory(_ shape: MemoryShape) throws -> Double {
    let line: ResultLine
    switch shape {
    case .slowReader(let version):
      line = try result(of: slowReader(version), requests: 1)
      guard line.number("bytes") == Double(1 << 30) else { throw Trouble("the stream was incomplete") }
    case .inFlight(let version):
      let load = WireShape(version: version, inFlight: 1_024, requests: isQuick ? 8_192 : 32_768)
      line = try result(
        of: program(.ours, load, requests: load.requests, warmUp: 0), requests: load.requests)
    }
    guard let peak = line.number("peak-kib"), peak > 0 else {
      throw Trouble("the program printed no peak memory")
    }
    return peak / 1_024
  }

  /// Returns our program that reads 1 GiB slowly.
  func slowReader(_ version: HTTPVersion) throws -> Program {
    let arguments = try url(version, "1g")
    guard version == .http3 else { return programs.ours("slow-reader", arguments) }
    return try programs.onNewestLibcurl(programs.ours("slow-reader", arguments + ["--http-version", "3"]))
  }
}
