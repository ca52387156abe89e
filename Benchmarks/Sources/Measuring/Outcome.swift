/// The outcome of measuring a figure.
public struct Outcome: Sendable, Hashable {
  /// The result of a measurement.
  public enum Finding: Sendable, Hashable {
    /// Ours, and the peer's if there is one.
    case measured(ours: Double, peer: Double?)
    /// Ours failed, so a bar is missed.
    case failed(String)
    /// The peer can't be run here.
    case skipped(String)
  }

  /// The word at the end of the output line.
  public enum Verdict: String, Sendable, Hashable {
    /// The bar is reached.
    case pass = "PASS"
    /// It is not.
    case miss = "MISS"
    /// There is no bar.
    case none = "-"
    /// Nothing was compared.
    case skipped = "SKIPPED"
  }

  /// The figure that was measured.
  public let figure: Figure
  /// The result.
  public let finding: Finding
  /// Between which ratios the middle half of the rounds lies; nil without a peer, or with few rounds.
  public let spread: ClosedRange<Double>?
  /// The instructions that the same programs execute per request; nil if they were not counted.
  public let instructions: InstructionPair?

  /// Creates an outcome.
  public init(
    _ figure: Figure, _ finding: Finding, spread: ClosedRange<Double>? = nil,
    instructions: InstructionPair? = nil
  ) {
    self.figure = figure
    self.finding = finding
    self.spread = spread
    self.instructions = instructions
  }

  /// Whether the bar is reached.
  public var verdict: Verdict {
    switch finding {
    case .skipped: return .skipped
    case .failed: return .miss
    case .measured(let ours, let peer):
      guard let bar = figure.bar else { return .none }
      return bar.isReached(ours: ours, peer: peer) ? .pass : .miss
    }
  }

  /// The cells of the line.
  var cells: Cells {
    var cells = Cells(bar: figure.bar?.text(figure.unit) ?? "-")
    cells.instructions = instructions.map { "\($0)" } ?? "-"
    cells.spread =
      spread.map { "\(Decimals.text($0.lowerBound, 2))…\(Decimals.text($0.upperBound, 2))" } ?? "-"
    guard case .measured(let ours, let peer) = finding else { return cells }
    cells.ours = figure.unit.text(ours)
    cells.peer = peer.map(figure.unit.text) ?? "-"
    cells.ratio = Bar.ratio(ours, peer).map { Decimals.text($0, 2) } ?? "-"
    return cells
  }

  /// The cells of a line.
  struct Cells {
    var ours = "-"
    var peer = "-"
    var ratio = "-"
    var bar: String
    var spread = "-"
    var instructions = "-"
  }
}

extension Outcome: CustomStringConvertible {
  /// The output line, or `bench NAME SKIPPED reason`.
  ///
  /// It reads `bench NAME ours=… peer=… ratio=… bar=… spread=… instructions=… PASS|MISS`.
  ///
  /// `spread` and `instructions` are present only if there are any.
  public var description: String {
    switch finding {
    case .skipped(let reason): return "bench \(figure.name) SKIPPED \(reason)"
    case .failed(let reason): return "bench \(figure.name) ours=failed bar=\(cells.bar) MISS \(reason)"
    case .measured:
      let cells = cells
      var line =
        "bench \(figure.name) ours=\(cells.ours) peer=\(cells.peer) ratio=\(cells.ratio) bar=\(cells.bar)"
      if spread != nil { line += " spread=\(cells.spread)" }
      if instructions != nil { line += " instructions=\(cells.instructions)" }
      return verdict == .none ? line : "\(line) \(verdict.rawValue)"
    }
  }
}
