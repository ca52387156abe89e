/// The outcomes of a run as a Markdown table.
public struct MarkdownTable: Sendable, CustomStringConvertible {
  /// A line of the table.
  public struct Row: Sendable, Hashable {
    /// The figure's name.
    public let name: String
    /// Whether the bar is missed, or could not be measured.
    public let isMissed: Bool
    fileprivate let cells: [String]

    /// Creates the row of an outcome.
    public init(_ outcome: Outcome) {
      let cells = outcome.cells
      let mark =
        switch outcome.finding {
        case .skipped(let reason): "skipped: \(reason)"
        case .failed(let reason): "\(outcome.verdict.rawValue): \(reason)"
        case .measured: outcome.verdict == .none ? "" : outcome.verdict.rawValue
        }
      self.init(
        outcome.figure.name, isMissed: outcome.verdict == .miss,
        [cells.ours, cells.peer, cells.ratio, cells.bar, cells.spread, cells.instructions, mark])
    }

    /// Parses an output line, which another program of the benchmarks printed; nil for another line.
    public init?(line: String) {
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 2, words[0] == "bench" else { return nil }
      let verdict = words.dropFirst(2).firstIndex { !$0.contains("=") } ?? words.endIndex
      let values = ResultLine(in: words[2..<verdict].joined(separator: " "))
      let reason = words[verdict...].dropFirst().joined(separator: " ")
      let word = verdict < words.endIndex ? words[verdict] : ""
      let mark = word == Outcome.Verdict.skipped.rawValue ? "skipped" : word
      self.init(
        words[1], isMissed: word == Outcome.Verdict.miss.rawValue,
        ["ours", "peer", "ratio", "bar", "spread", "instructions"].map { name in
          values?.text(name).flatMap { $0 == "failed" ? nil : $0 } ?? "-"
        } + [reason.isEmpty ? mark : "\(mark): \(reason)"])
    }

    private init(_ name: String, isMissed: Bool, _ cells: [String]) {
      self.name = name
      self.isMissed = isMissed
      // A reason may come from a program.
      self.cells = cells.map { String($0.map { $0 == "|" || $0.isNewline ? "/" : $0 }) }
    }
  }

  /// The rows, in order.
  public let rows: [Row]
  private let caption: String

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - caption: The line before the table: when and where it was measured.
  ///   - rows: The rows, in order.
  public init(caption: String, _ rows: [Row]) {
    self.caption = caption
    self.rows = rows
  }

  /// The table, with a line break at its end.
  public var description: String {
    let lines =
      [
        caption, "", "| figure | ours | peer | ratio | bar | spread | instructions | |",
        "|---|---:|---:|---:|---:|---:|---:|---|",
      ] + rows.map { "| `\($0.name)` | \($0.cells.joined(separator: " | ")) |" }
    return lines.joined(separator: "\n") + "\n"
  }
}
