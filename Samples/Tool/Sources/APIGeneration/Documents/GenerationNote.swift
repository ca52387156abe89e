/// What of a document is not generated, with its lines.
public struct GenerationNote: Sendable, Hashable, CustomStringConvertible {
  /// A sentence without a full stop.
  public let text: String
  /// The lines, counted from 1, in order.
  public internal(set) var lines: [Int]

  /// The first line, the text, and the other lines, of which at most 20 are named.
  public var description: String {
    let first = lines.first ?? 1
    guard lines.count > 1 else { return "\(first): \(text)" }
    let others = lines.dropFirst().prefix(20).map(String.init).joined(separator: ", ")
    let rest = lines.count > 21 ? " and \(lines.count - 21) more" : ""
    return "\(first): \(text) (also in lines \(others)\(rest))"
  }
}

/// The notes of one run, by text.
struct NoteList {
  private var lines: [String: Set<Int>] = [:]

  mutating func add(_ text: String, _ line: Int) { lines[text, default: []].insert(line) }

  var notes: [GenerationNote] {
    lines.map { GenerationNote(text: $0, lines: $1.sorted()) }
      .sorted { ($0.lines.first ?? 0, $0.text) < ($1.lines.first ?? 0, $1.text) }
  }
}
