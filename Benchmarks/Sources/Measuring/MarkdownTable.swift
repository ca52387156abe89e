/// The outcomes of a run as a Markdown table.
public struct MarkdownTable: Sendable, CustomStringConvertible {
  private let caption: String
  private let outcomes: [Outcome]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - caption: The line before the table: when and where it was measured.
  ///   - outcomes: The outcomes, in order.
  public init(caption: String, _ outcomes: [Outcome]) {
    self.caption = caption
    self.outcomes = outcomes
  }

  /// The table, with a line break at its end.
  public var description: String {
    var lines = [
      caption, "", "| figure | ours | peer | ratio | bar | instructions | |",
      "|---|---:|---:|---:|---:|---:|---|",
    ]
    for outcome in outcomes {
      let cells = outcome.cells
      lines.append(
        "| `\(outcome.figure.name)` | \(cells.ours) | \(cells.peer) | \(cells.ratio) | \(cells.bar) | "
          + "\(cells.instructions) | \(mark(outcome)) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func mark(_ outcome: Outcome) -> String {
    switch outcome.finding {
    case .skipped(let reason): "skipped: \(reason)"
    case .failed(let reason): "failed: \(reason)"
    case .measured: outcome.verdict == .none ? "" : outcome.verdict.rawValue
    }
  }
}
