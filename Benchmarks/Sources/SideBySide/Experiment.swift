import Measuring

/// A group of figures obtained from the same runs.
struct Experiment {
  /// The program to run, and which part of its result is the value.
  enum Kind {
    case wire(WireShape)
    case chain(ChainShape)
    case chainObjects(String)
    case stormTransfers
    case body(String)
    case nonces
    case memory(MemoryShape)
    case instructions(WireShape)
    case chainInstructions(ChainShape)
    case allocations(WireShape)
    /// What a part of an app's chain adds to it, in instructions and in heap blocks.
    case appChainInstructions(AppChainPart)
    case appChainObjects(AppChainPart)
    /// The heap blocks that a client's load adds to sending its request.
    case apiObjects(String)
    /// A program that measures a load and its base in turn.
    case pair(PairedLoad)
    /// The events per second that many tasks record, or the median time of one task's call.
    case recording(tasks: Int)
    case backlogTime
    case backlogMemory
    /// The cache on a disk: the time of a hit, the rate of eight tasks, the time of a hit beside a burst of
    /// writes, that of opening 1 GB, and the sizes after distinct responses.
    case diskHit
    case diskReaders
    case diskBurst
    case diskOpening
    case flood(StoreLevel)
    /// Messages that come back over one WebSocket.
    case echo(EchoShape)
    /// Many WebSockets that carry no messages.
    case idleSockets(Int)
    /// A load over a network that delays and loses packets.
    case lossy(LossyLoad)

    /// Whether it is a load over the wire.
    func isWire(_ shape: WireShape) -> Bool {
      if case .wire(shape) = self { true } else { false }
    }

    /// Whether it needs a libcurl and a server with HTTP/3.
    var usesHTTP3: Bool {
      switch self {
      case .wire(let shape), .instructions(let shape), .allocations(let shape): shape.version == .http3
      case .memory(.slowReader(let version)), .memory(.inFlight(let version)): version == .http3
      case .lossy: true
      default: false
      }
    }
  }

  /// A figure of ours, and the peer it is compared with; nil for none.
  struct Comparison {
    let figure: Figure
    var subject = Peer.ours
    let peer: Peer?
    var quantity = Quantity.result
  }

  /// What is compared of a round.
  enum Quantity: Hashable {
    /// The experiment's own value.
    case result
    /// The processor time of a request, in microseconds.
    case processorTime
    /// The context switches of a request.
    case switches
    /// The threads of a process, and the descriptors of a connection.
    case threads
    case descriptors
  }

  let kind: Kind
  private(set) var comparisons: [Comparison]

  init(_ kind: Kind, subject: Peer = .ours, _ comparisons: [Comparison]) {
    self.kind = kind
    self.comparisons = comparisons.map { comparison in
      var comparison = comparison
      comparison.subject = subject
      return comparison
    }
  }

  /// What is measured of ours, of an experiment that is not merged.
  var subject: Peer { comparisons.first?.subject ?? .ours }

  /// Ours and the peers, each once.
  var runners: [Peer] {
    var runners: [Peer] = []
    for runner in comparisons.map(\.subject) + comparisons.compactMap(\.peer)
    where !runners.contains(runner) {
      runners.append(runner)
    }
    return runners
  }

  /// Returns the experiment with only the matching figures; nil if there are none.
  func keeping(_ isWanted: (String) -> Bool) -> Experiment? {
    var kept = self
    kept.comparisons.removeAll { !isWanted($0.figure.name) }
    return kept.comparisons.isEmpty ? nil : kept
  }

  /// Joins the experiments with the same load over the wire, so that each program runs it once in a round.
  static func merged(_ experiments: [Experiment]) -> [Experiment] {
    var merged: [Experiment] = []
    for experiment in experiments {
      if case .wire(let shape) = experiment.kind,
        let index = merged.firstIndex(where: { $0.kind.isWire(shape) })
      {
        merged[index].comparisons += experiment.comparisons
      } else {
        merged.append(experiment)
      }
    }
    return merged
  }
}

/// A part of the chain of an app, as `SwitchyardPeer chain --leaving-out` calls it.
enum AppChainPart: String, CaseIterable {
  case validation, sharing, redirects, retry, cookies, authorization, signing, caching, bypass, compression
  case logging, telemetry, inspector

  /// The maximum number of heap objects that it may add to the chain over a stub; nil for no bar.
  var maximumObjects: Double? {
    switch self {
    case .telemetry: 9
    case .inspector: 2.5
    default: nil
    }
  }
}

/// A level of a cache.
enum StoreLevel {
  case memory
  case disk
}

/// A version of HTTP, as programs print it.
enum HTTPVersion: String {
  /// In clear.
  case http1 = "h1"
  /// With TLS.
  case http2 = "h2"
  case http3 = "h3"
}

/// A load over the wire.
struct WireShape: Hashable {
  var version: HTTPVersion
  var inFlight: Int
  var file = "1k"
  /// The number of measured requests in a full run.
  var requests: Int
  /// Whether another program computes all the time.
  var isBusy = false

  /// Whether the responses are so large that their bytes are counted, not the requests.
  var isLarge: Bool { file == "1m" }
}

/// A load over a network with a round trip of 50 ms, which loses one packet of a hundred in each direction.
enum LossyLoad {
  case wire(WireShape)
  /// Requests each of which opens a connection.
  case firstByte
}

/// A load of messages of 1 KiB over one WebSocket.
struct EchoShape: Hashable {
  /// The messages that wait for their echo at a time.
  var inFlight: Int
  /// Whether they are texts, not bytes.
  var isText = false
  /// The number of measured messages in a full run.
  var messages: Int
}

/// A load over a chain that ends in a stub.
struct ChainShape: Hashable {
  var name: String
  /// The numbers of unmeasured and measured calls in one process.
  var warmUp = 20_000
  var requests = 100_000
  /// A multiplier for the number of rounds.
  var repetitions = 1

  /// The load of an app's process in its first minutes.
  ///
  /// A JIT compiler has compiled part of the code by then; when it does so differs between processes.
  static func early(_ name: String) -> ChainShape {
    ChainShape(name: name, warmUp: 1_000, requests: 20_000, repetitions: 3)
  }

  /// The load of a long-running process.
  ///
  /// A JIT compiler has compiled and inlined all of the code by then.
  static func warm(_ name: String) -> ChainShape {
    ChainShape(name: name, warmUp: 2_000_000, requests: 400_000)
  }
}

/// A load that a program measures together with its base.
enum PairedLoad {
  /// Loads of a manager and bare calls of Swift's pool, both from the main actor.
  case manager
  /// A reformed response and `JSONDecoder`.
  case json
  /// First requests to an origin, connected to before and not.
  case firstByte
}

/// A process whose peak of resident memory is the figure.
enum MemoryShape {
  case slowReader(HTTPVersion)
  case inFlight(HTTPVersion)
}
