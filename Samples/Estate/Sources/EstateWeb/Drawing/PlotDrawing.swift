import Foundation
import Screens

/// Curves as SVG, with a slider that a script connects to them.
struct PlotDrawing {
  private struct Step: Encodable {
    let label: String
    let scale: Double
    let top: String
    let results: [String]
  }

  private static let (width, height) = (600.0, 200.0)

  let plot: Plot

  var html: HTML {
    guard plot.steps.indices.contains(plot.selected) else { return "" }
    let step = plot.steps[plot.selected]
    let grid = [0, 50, 100, 150, 200].map { "<path class=\"axis\" d=\"M0 \($0)H600\"/>" as HTML }
    return """
      <figure class="plot" data-steps="\(steps)"><figcaption>\(plot.title)</figcaption>
      <div class="ends"><span>\(plot.maximum)</span></div>
      <svg viewBox="0 0 600 200" preserveAspectRatio="none" role="img" aria-label="\(summary(of: step))">\
      \(grid)\(curves(step))</svg>
      <div class="ends"><span>\(plot.axis.first ?? "")</span><span>\(plot.axis.last ?? "")</span></div>
      <div class="slide"><label for="setting">\(plot.setting): <output for="setting">\(step.label), a loan of \
      \(step.top)</output></label>
      <input type="range" id="setting" min="0" max="\(plot.steps.count - 1)" value="\(plot.selected)" \
      aria-valuetext="\(step.label)"></div>
      <ul class="legend">\(legend(step))</ul>\(table)</figure>

      """
  }

  private func curves(_ step: Plot.Step) -> [HTML] {
    plot.curves.enumerated().map { index, curve in
      let last = Double(max(1, curve.values.count - 1))
      let points = curve.values.enumerated().map { place, value in
        "\(rounded(Double(place) / last * curve.extent * Self.width)),\(rounded((1 - value) * Self.height))"
      }.joined(separator: " ")
      return """
        <polyline class="k\(index % 4)" points="\(points)" \
        transform="translate(0 200) scale(1 \(String(step.scale))) translate(0 -200)"/>
        """
    }
  }

  private func legend(_ step: Plot.Step) -> [HTML] {
    zip(plot.curves, step.results).enumerated().map { index, pair in
      """
      <li class="k\(index % 4)"><b>\(pair.1)</b><span>\(plot.result), \(pair.0.name)</span></li>
      """
    }
  }

  /// All results, for readers without scripts.
  private var table: HTML {
    let head = plot.curves.map { "<th scope=\"col\">\($0.name)</th>" as HTML }
    let rows = plot.steps.map { step -> HTML in
      let cells = step.results.map { "<td>\($0)</td>" as HTML }
      return "<tr><th scope=\"row\">\(step.label)</th>\(cells)</tr>"
    }
    return """
      <noscript><div class="scroll"><table><caption>\(plot.setting), \(plot.result)</caption>\
      <thead><tr><td></td>\(head)</tr></thead><tbody>\(rows)</tbody></table></div></noscript>
      """
  }

  private func summary(of step: Plot.Step) -> String {
    let results = zip(plot.curves, step.results).map { "\($1) \(plot.result) for \($0.name)" }
    return "\(plot.title), \(step.label): \(results.joined(separator: "; "))"
  }

  private var steps: String {
    let steps = plot.steps.map { Step(label: $0.label, scale: $0.scale, top: $0.top, results: $0.results) }
    return (try? JSONEncoder().encode(steps)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
  }

  private func rounded(_ value: Double) -> String { String((value * 10).rounded() / 10) }
}
