/// A place among the aspects of screens, which are ordered by the rank of their stage, the lowest rank first.
///
/// An aspect gets the screen as those of lower ranks left it, so what it adds surrounds what they added.
/// There is room between the ranks. Aspects of the same stage keep the order in which they are listed.
public struct AspectStage: Sendable, Hashable {
  /// The position; lower ranks are asked and told first.
  package let rank: Int
  /// The name that messages use.
  package let name: String

  /// Creates a custom stage.
  public init(rank: Int, name: String) {
    self.rank = rank
    self.name = name
  }

  /// Vetoes or replaces screens, before anything is done to them.
  public static let admission = AspectStage(rank: 100, name: "admission")
  /// Sets what a screen leaves open, such as colors.
  public static let appearance = AspectStage(rank: 300, name: "appearance")
  /// Adds something to a screen, such as a banner.
  public static let decoration = AspectStage(rank: 500, name: "decoration")
  /// Hides screens, such as in the background.
  public static let privacy = AspectStage(rank: 700, name: "privacy")
  /// Watches what is shown, and changes nothing.
  public static let observation = AspectStage(rank: 900, name: "observation")
}

extension AspectStage: Comparable {
  /// Whether the aspects of one stage are asked before those of another.
  public static func < (first: AspectStage, second: AspectStage) -> Bool { first.rank < second.rank }
}

extension AspectStage: CustomStringConvertible {
  /// The name and rank, such as "decoration, 500".
  public var description: String { "\(name), \(rank)" }
}
