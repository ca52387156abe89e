public import Interception

extension Stage {
  /// Delays requests to a rate, after caching and before routing; rank 550.
  public static let pacing = Stage(rank: 550, name: "pacing")
}
