/// The instructions of user code that ours and a peer execute per request.
public struct InstructionPair: Sendable, Hashable, CustomStringConvertible {
  /// Ours.
  public let ours: Double
  /// The peer's; nil without a peer, or if its instructions can't be counted.
  public let peer: Double?

  /// Creates a pair.
  public init(ours: Double, peer: Double?) {
    self.ours = ours
    self.peer = peer
  }

  /// Both numbers and their ratio, such as `73613/67323=1.09`, or ours alone.
  public var description: String {
    let number = Decimals.text(ours, 0)
    guard let peer, let ratio = Bar.ratio(ours, peer) else { return number }
    return "\(number)/\(Decimals.text(peer, 0))=\(Decimals.text(ratio, 2))"
  }
}
