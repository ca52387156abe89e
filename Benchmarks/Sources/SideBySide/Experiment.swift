import Measuring

/// A group of figures that one set of runs gives.
struct Experiment {
  /// What is run, and what of its result is the value.
  enum Kind {
    case wire(WireShape)
    case chain(ChainShape)
    case chainObjects(String)
    case memory(MemoryShape)
    case instructions(WireShape)
    case chainInstructions(ChainShape)
    case allocations(WireShape)
  }

  /// A figure and whom it compares with; nil where ours stands alone.
  struct Comparison {
    let figure: Figure
    let peer: Peer?
  }

  let kind: Kind
  let subject: Peer
  let comparisons: [Comparison]

  init(_ kind: Kind, subject: Peer = .ours, _ comparisons: [Comparison]) {
    self.kind = kind
    self.subject = subject
    self.comparisons = comparisons
  }

  /// The same with none but the figures whose names match; nil without any.
  func keeping(_ isWanted: (String) -> Bool) -> Experiment? {
    let kept = comparisons.filter { isWanted($0.figure.name) }
    return kept.isEmpty ? nil : Experiment(kind, subject: subject, kept)
  }
}

/// A load over the wire.
struct WireShape: Hashable {
  var isHTTP2: Bool
  var inFlight: Int
  var file = "1k"
  /// How many requests a whole run measures.
  var requests: Int
}

/// A load over a chain that ends in a stub.
struct ChainShape: Hashable {
  var name: String
  /// The same for a peer that knows one way to build a chain.
  var peerName: String { name == "six-nested" ? "six-passing" : name }
  /// How many calls go ahead, unmeasured, and how many are measured, in one process.
  var warmUp = 80_000
  var requests = 400_000
  /// How many times a round's worth of processes it takes.
  var repetitions = 1

  /// As an app's process sends them in its first minutes.
  ///
  /// What compiles while it runs has compiled some of it; when it does so differs from process to process.
  static func early(_ name: String) -> ChainShape {
    ChainShape(name: name, warmUp: 1_000, requests: 20_000, repetitions: 3)
  }

  /// As a process that has run for long sends them.
  ///
  /// What compiles while it runs has compiled and inlined all of it.
  static func warm(_ name: String) -> ChainShape {
    ChainShape(name: name, warmUp: 2_000_000, requests: 400_000)
  }
}

/// A process whose peak of resident memory is the figure.
enum MemoryShape {
  case slowReader(isHTTP2: Bool)
  case inFlight(isHTTP2: Bool)
}
