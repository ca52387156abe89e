/// The target for a figure.
public enum Bar: Sendable, Hashable {
  /// The ratio of ours to the peer's is at least this.
  case ratioAtLeast(Double)
  /// The ratio of ours to the peer's is at most this.
  case ratioAtMost(Double)
  /// Ours is at most the peer's and this.
  case atMostAbovePeer(Double)
  /// Ours is at most this, regardless of peers.
  case atMost(Double)
  /// Ours is at least this, regardless of peers.
  case atLeast(Double)

  /// Whether the bar is reached; it isn't if the ratio can't be computed.
  public func isReached(ours: Double, peer: Double?) -> Bool {
    switch self {
    case .ratioAtLeast(let bar): Self.ratio(ours, peer).map { $0 >= bar } ?? false
    case .ratioAtMost(let bar): Self.ratio(ours, peer).map { $0 <= bar } ?? false
    case .atMostAbovePeer(let bar): peer.map { ours - $0 <= bar } ?? false
    case .atMost(let bar): ours <= bar
    case .atLeast(let bar): ours >= bar
    }
  }

  /// Returns the ratio of ours to the peer's, if there is a peer.
  public static func ratio(_ ours: Double, _ peer: Double?) -> Double? {
    guard let peer, peer > 0 else { return nil }
    return ours / peer
  }

  /// The bar as a number, with its unit unless it is a ratio.
  func text(_ unit: Unit) -> String {
    switch self {
    case .ratioAtLeast(let bar), .ratioAtMost(let bar): Decimals.text(bar, 2)
    case .atMostAbovePeer(let bar): "+\(Decimals.text(bar, 2))"
    case .atMost(let bar), .atLeast(let bar): unit.text(bar)
    }
  }
}
