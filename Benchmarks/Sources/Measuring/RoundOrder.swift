/// Who runs when: every program once a round, and each round begins with another one.
public enum RoundOrder {
  /// The programs of all rounds, in order.
  ///
  /// What runs first after a pause, or always after the same neighbour, is not measured like the others.
  public static func rounds<Program>(_ count: Int, of programs: [Program]) -> [[Program]] {
    guard !programs.isEmpty else { return [] }
    return (0..<max(count, 0)).map { round in
      programs.indices.map { programs[($0 + round) % programs.count] }
    }
  }
}
