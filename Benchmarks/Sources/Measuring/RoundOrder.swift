/// The order in which programs run: each once per round, with a different one first in each round.
public enum RoundOrder {
  /// Returns the programs of all rounds, in order.
  ///
  /// A fixed order would favor or penalize the program that runs first after a pause, or always after the
  /// same one.
  public static func rounds<Program>(_ count: Int, of programs: [Program]) -> [[Program]] {
    guard !programs.isEmpty else { return [] }
    return (0..<max(count, 0)).map { round in
      programs.indices.map { programs[($0 + round) % programs.count] }
    }
  }
}
