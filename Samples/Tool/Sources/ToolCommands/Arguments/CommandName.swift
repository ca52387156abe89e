/// The name of a command, as it was typed.
public enum CommandName {
  /// Returns the known name that is nearest to a misspelt one; nil if none is near.
  public static func suggestion(for typed: String, among names: [String]) -> String? {
    let nearest = names.map { (name: $0, distance: distance(typed, $0)) }.min { $0.distance < $1.distance }
    // One slip in three letters.
    guard let nearest, nearest.distance <= max(1, typed.count / 3) else { return nil }
    return nearest.name
  }

  /// The number of characters to insert, remove or replace (Levenshtein).
  private static func distance(_ one: String, _ other: String) -> Int {
    let other = Array(other.prefix(40))
    var row = Array(0...other.count)
    for (index, letter) in one.prefix(40).enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let replaced = diagonal + (letter == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, min(row[column], row[column + 1]) + 1)
      }
    }
    return row[other.count]
  }
}
