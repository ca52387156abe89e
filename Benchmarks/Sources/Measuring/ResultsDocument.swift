/// The document with the results: the table of one full run, what the plots of growth show, and the causes of
/// missed bars.
///
/// The program writes the table, and the files of the plots. People write the two other parts, which the
/// document carries over from its previous text.
public struct ResultsDocument: Sendable, CustomStringConvertible {
  /// Why a figure misses its bar.
  public struct Cause: Sendable, Hashable {
    /// The figure's name.
    public let figure: String
    /// The line of the document.
    fileprivate let line: String

    /// Parses a line such as "* `h2.64.vs-c`: libcurl visits …"; nil for another line.
    init?(line: Substring) {
      let parts = line.split(separator: "`", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0] == "* ", !parts[1].isEmpty, parts[2].hasPrefix(": ") else {
        return nil
      }
      figure = String(parts[1])
      self.line = String(line)
    }
  }

  private static let heading = "## Causes"
  private static let growthHeading = "## Growth"
  private let table: MarkdownTable
  /// The causes, in the order of the table; at the end those of figures that it does not have.
  public let causes: [Cause]
  /// The part with the plots, with its heading and an empty line at its end; empty if there is none.
  private let growth: String

  /// Creates a document.
  ///
  /// - Parameter previous: The text whose causes and growth are carried over; nil for none.
  public init(_ table: MarkdownTable, carryingOver previous: String?) {
    self.table = table
    let lines = previous?.split(separator: "\n") ?? []
    let start = lines.firstIndex { $0 == Self.heading } ?? lines.endIndex
    let found = lines[start...].compactMap { Cause(line: $0) }
    let all = previous?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    let part = all.drop { $0 != Self.growthHeading }
    growth =
      (part.prefix(1) + part.dropFirst().prefix { !$0.hasPrefix("## ") }).map { "\($0)\n" }.joined()
    let names = table.rows.map(\.name)
    causes =
      names.flatMap { name in found.filter { $0.figure == name } }
      + found.filter { !names.contains($0.figure) }
  }

  /// The figures that miss their bars, and have no cause yet.
  public var figuresWithoutCause: [String] {
    table.rows.filter { row in row.isMissed && !causes.contains { $0.figure == row.name } }.map(\.name)
  }

  /// The figures that have a cause, and do not miss their bars.
  public var figuresWithoutMiss: [String] {
    causes.map(\.figure).filter { figure in !table.rows.contains { $0.name == figure && $0.isMissed } }
  }

  /// The whole text, with a line break at its end.
  public var description: String {
    """
    # Results

    \(table)
    \(growth)\(Self.heading)

    One line for each figure that misses its bar. `Scripts/bench --markdown` replaces all of this file but these lines\(growth.isEmpty ? "" : " and \"Growth\"").

    """
      + causes.map { "\n\($0.line)" }.joined() + "\n"
  }
}
