/// The options and the result of a look-up.
struct RouteSearch {
  /// The conditions that a look-up ignores, to find out why a URL matches nothing.
  struct Leniency: OptionSet {
    let rawValue: Int
    static let missingFields = Leniency(rawValue: 1)
    static let kinds = Leniency(rawValue: 2)
  }

  /// The facts about a URL that a walk needs besides its bytes and the offsets of its segments.
  struct Shape {
    let segmentCount: Int
    let escaped: UInt64
    let query: Range<Int>

    /// Returns whether a segment contains percent-encoded bytes.
    @inline(__always)
    func isEscaped(_ index: Int) -> Bool { escaped & (1 &<< UInt64(truncatingIfNeeded: index)) != 0 }
  }

  let leniency: Leniency
  /// The index of the best entry found so far.
  var best: Int?
  /// The number of visited nodes.
  var visits = 0

  /// Accepts every route.
  static func accepts(_ route: Int) -> Bool { true }

  init(leniency: Leniency = []) { self.leniency = leniency }
}
