/// A look-up: what it overlooks, and what it found.
struct RouteSearch {
  /// What a look-up overlooks, to find out why a URL matches nothing.
  struct Leniency: OptionSet {
    let rawValue: Int
    static let missingFields = Leniency(rawValue: 1)
    static let kinds = Leniency(rawValue: 2)
  }

  /// What a walk has to know of the URL besides its bytes and where its segments begin.
  struct Shape {
    let segmentCount: Int
    let escaped: UInt64
    let query: Range<Int>

    /// Whether a segment holds percent-encoded bytes.
    @inline(__always)
    func isEscaped(_ index: Int) -> Bool { escaped & (1 &<< UInt64(truncatingIfNeeded: index)) != 0 }
  }

  let leniency: Leniency
  /// The entry found.
  var best: Int?
  /// So many nodes were visited.
  var visits = 0

  /// Accepts every route.
  static func accepts(_ route: Int) -> Bool { true }

  init(leniency: Leniency = []) { self.leniency = leniency }
}
