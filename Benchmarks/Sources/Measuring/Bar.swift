/// What a figure is held to.
public enum Bar: Sendable, Hashable {
  /// Ours over the peer's is at least this.
  case ratioAtLeast(Double)
  /// Ours over the peer's is at most this.
  case ratioAtMost(Double)
  /// Ours is at most this, whatever peers do.
  case atMost(Double)

  /// Whether a figure reaches the bar; a ratio that can't be formed does not.
  public func isReached(ours: Double, peer: Double?) -> Bool {
    switch self {
    case .ratioAtLeast(let bar): Self.ratio(ours, peer).map { $0 >= bar } ?? false
    case .ratioAtMost(let bar): Self.ratio(ours, peer).map { $0 <= bar } ?? false
    case .atMost(let bar): ours <= bar
    }
  }

  /// Ours over the peer's, where there is a peer.
  public static func ratio(_ ours: Double, _ peer: Double?) -> Double? {
    guard let peer, peer > 0 else { return nil }
    return ours / peer
  }

  /// The bar as a number, with the unit where it is not a ratio.
  func text(_ unit: Unit) -> String {
    switch self {
    case .ratioAtLeast(let bar), .ratioAtMost(let bar): Decimals.text(bar, 2)
    case .atMost(let bar): unit.text(bar)
    }
  }
}
