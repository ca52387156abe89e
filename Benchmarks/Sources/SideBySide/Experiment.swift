import Measuring

/// A group of figures that one set of runs gives.
struct Experiment {
  /// What is run, and what of its result is the value.
  enum Kind {
    case wire(WireShape)
    case chain(String)
    case chainObjects(String)
    case memory(MemoryShape)
    case instructions(WireShape)
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
struct WireShape {
  var isHTTP2: Bool
  var inFlight: Int
  var file = "1k"
  /// How many requests a whole run measures.
  var requests: Int
}

/// A process whose peak of resident memory is the figure.
enum MemoryShape {
  case slowReader(isHTTP2: Bool)
  case inFlight(isHTTP2: Bool)
}
