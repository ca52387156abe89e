/// Computes the difference between a committed manifest and the current one.
enum GoldenManifest {
  /// Returns the removed and the added lines, prefixed with `-` and `+`, without unchanged lines.
  static func difference(from old: String, to new: String) -> [String] {
    let before = lines(old)
    let after = lines(new)
    let difference = after.difference(from: before)
    var removed: [Int: String] = [:]
    var inserted: [Int: String] = [:]
    for change in difference {
      switch change {
      case .remove(let offset, let line, _): removed[offset] = line
      case .insert(let offset, let line, _): inserted[offset] = line
      }
    }
    var result: [String] = []
    var (old, new) = (0, 0)
    while old < before.count || new < after.count {
      if let line = removed[old] {
        result.append("- \(line)")
        old += 1
      } else if let line = inserted[new] {
        result.append("+ \(line)")
        new += 1
      } else {
        old += 1
        new += 1
      }
    }
    return result
  }

  private static func lines(_ text: String) -> [String] {
    // A checkout may have converted the line endings.
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
