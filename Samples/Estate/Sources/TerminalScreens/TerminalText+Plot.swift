import Screens

extension TerminalText {
  private static let bars = Array("▁▂▃▄▅▆▇█")
  /// The number of characters for the whole axis of a plot.
  private static let plotWidth = 30

  /// The curves of the selected step as bars, each with its result.
  static func lines(of plot: Plot) -> [String] {
    guard plot.steps.indices.contains(plot.selected) else { return [] }
    let step = plot.steps[plot.selected]
    let width = plot.curves.map(\.name.count).max() ?? 0
    return ["\(plot.title), \(step.label):"]
      + zip(plot.curves, step.results).map { curve, result in
        "  " + Amounts.padded(curve.name, to: width + 2)
          + Amounts.padded(bars(of: curve, scale: step.scale), to: plotWidth + 2)
          + "\(result) \(plot.result)"
      }
  }

  private static func bars(of curve: Plot.Curve, scale: Double) -> String {
    guard !curve.values.isEmpty else { return "" }
    let count = max(1, Int((curve.extent * Double(plotWidth)).rounded()))
    return String(
      (0..<count).map { place in
        let value = curve.values[place * curve.values.count / count] * scale
        return bars[min(bars.count - 1, max(0, Int(value * Double(bars.count))))]
      })
  }
}
