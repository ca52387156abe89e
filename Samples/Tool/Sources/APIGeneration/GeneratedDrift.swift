/// Where a generated file and what its document yields differ.
public struct GeneratedDrift: Sendable, Hashable {
  /// A line that only one of them has.
  struct Line: Sendable, Hashable {
    /// The line in the file, counted from 1; where it would be inserted for an added one.
    let number: Int
    let text: String
    /// Whether the document yields it, and the file lacks it.
    let isAdded: Bool
  }

  let changes: [Line]

  /// The maximum number of lines that are listed.
  static let maximum = 40

  /// Compares a file with what the document yields; nil if they are equal.
  public init?(from current: String, to expected: String) {
    guard current != expected else { return nil }
    let old = current.split(separator: "\n", omittingEmptySubsequences: false)
    let new = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
    let (oldPart, newPart) = (old[start..<(old.count - end)], new[start..<(new.count - end)])
    // The comparison takes time in the square of what has changed.
    guard oldPart.count + newPart.count <= 4_000 else {
      changes =
        oldPart.prefix(1).map { Line(number: start + 1, text: String($0), isAdded: false) }
        + newPart.prefix(1).map { Line(number: start + 1, text: String($0), isAdded: true) }
      return
    }
    let difference = Array(newPart).difference(from: Array(oldPart))
    changes = Self.changes(difference, after: start)
  }

  private static func changes(_ difference: CollectionDifference<Substring>, after start: Int) -> [Line] {
    var lines: [Line] = []
    let removals = difference.removals.compactMap { change -> (Int, Substring)? in
      if case .remove(let offset, let text, _) = change { (offset, text) } else { nil }
    }
    let insertions = difference.insertions.compactMap { change -> (Int, Substring)? in
      if case .insert(let offset, let text, _) = change { (offset, text) } else { nil }
    }
    for (offset, text) in removals {
      lines.append(Line(number: start + offset + 1, text: String(text), isAdded: false))
    }
    for (offset, text) in insertions {
      // The offset counts the new lines; those of the old ones before it are what remains of it.
      let inserted = insertions.count { $0.0 < offset }
      var place = offset - inserted
      for (removed, _) in removals where removed < place { place += 1 }
      lines.append(Line(number: start + place + 1, text: String(text), isAdded: true))
    }
    return lines.sorted { ($0.number, $0.isAdded ? 1 : 0) < ($1.number, $1.isAdded ? 1 : 0) }
  }

  /// The places, as `FILE:LINE: + text` for what the file lacks and `- text` for what it has too much.
  public func lines(of path: String) -> [String] {
    let shown = changes.prefix(Self.maximum).map {
      "\(path):\($0.number): \($0.isAdded ? "+" : "-") \($0.text)"
    }
    let rest = changes.count - shown.count
    return shown + (rest > 0 ? ["\(path): \(rest) more lines differ; generate the file again."] : [])
  }
}
