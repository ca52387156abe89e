package import Screens

/// The content of a screen as lines of text, without its title.
package struct TerminalText: Sendable, Equatable {
  /// The maximum number of cards that are shown, the last ones.
  private static let visibleCards = 10

  package let lines: [String]

  /// Writes the content; forms and actions are not part of the text, see ``routes(of:)``.
  package init(_ content: ScreenContent) {
    lines = content.blocks.flatMap(Self.lines) + [content.staleness].compactMap(\.self)
  }

  private static func lines(of block: ContentBlock) -> [String] {
    switch block {
    case .heading(let text): ["\(text):"]
    case .text(let text): [text]
    case .facts(let facts): [facts.map(\.text).joined(separator: ", ")]
    case .cards(let cards, _, _, _): lines(of: cards)
    case .table(let caption, let header, let rows): lines(of: caption, header, rows)
    case .choices(let label, let detail, let options, let selected):
      [
        "\(label): \(selected.map { options[$0].label } ?? "none")" + (detail.map { ", \($0)" } ?? "")
      ]
    case .information(let text, let action), .warning(let text, let action), .failure(let text, let action):
      [text] + (action.map { ["Say \($0.route) to \($0.label.lowercased())."] } ?? [])
    case .form, .filters: []
    case .app(let block):
      switch block.content {
      case let comparison as Comparison: lines(of: comparison)
      case let plot as Plot: lines(of: plot)
      case let map as PlaceMap: map.places.count == 1 ? map.places.map(line) : []
      default: []
      }
    }
  }

  private static func lines(of cards: [Card]) -> [String] {
    let hidden = cards.count - visibleCards
    return (hidden > 0 ? ["… and \(hidden) above"] : []) + cards.suffix(visibleCards).map(line)
  }

  private static func line(of card: Card) -> String {
    let badge = card.badge.map { Amounts.padded($0, to: 14) } ?? ""
    let number = Amounts.padded("#\(card.id)", to: 6)
    if let note = card.note {
      return badge + number + note + (card.actions.first.map { "; \($0.route)" } ?? "")
    }
    let title = Amounts.padded(card.title, to: card.facts.isEmpty ? 20 : 26)
    let facts = card.facts.map(\.text).joined(separator: "  ")
    return badge + number + title + (facts.isEmpty ? "" : Amounts.padded(facts, to: 26)) + (card.price ?? "")
  }

  private static func lines(of caption: String, _ header: [String], _ rows: [[String]]) -> [String] {
    let widths = header.indices.map { column in
      (rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0) + 2
    }
    return ["\(caption):"]
      + rows.map { row in
        let last = row.count - 1
        return "  "
          + row.enumerated().map { index, cell in
            index == last || index >= widths.count ? cell : Amounts.padded(cell, to: widths[index])
          }.joined()
      }
  }

  private static func lines(of comparison: Comparison) -> [String] {
    let widths = comparison.properties.indices.map { property in
      comparison.subjects.map { $0.values.indices.contains(property) ? $0.values[property].count : 0 }.max()
        ?? 0
    }
    return comparison.subjects.map { subject in
      let values = subject.values.enumerated().map { index, value in
        Amounts.padded(value, to: (widths.indices.contains(index) ? widths[index] : 0) + 2)
      }.joined()
      let text = subject.failure.map { "not loaded: \($0)" } ?? values
      let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.endIndex
      return Amounts.padded(subject.name, to: 8) + text[..<end]
    }
  }

  private static func line(of place: PlaceMap.Place) -> String { "at \(place.latitude), \(place.longitude)" }
}

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

extension ScreenContent {
  /// What the user can do on the screen, each with its URL, as a terminal lists it.
  package var offeredRoutes: [(label: String, route: String)] {
    let inBlocks = blocks.flatMap { block -> [(String, String)] in
      switch block {
      case .cards(_, let more, let selection, _):
        [more.map { ($0.label, $0.route) }, selection.map(filled)].compactMap(\.self)
      case .choices(let label, _, let options, let selected):
        options.enumerated().filter { $0.offset != selected }
          .map { ("\(label): \($0.element.label)", $0.element.route) }
      case .form(let form), .filters(let form): [filled(form)]
      default: []
      }
    }
    return actions.map { ($0.label, $0.route) } + inBlocks
  }

  private func filled(_ form: ScreenAction) -> (String, String) {
    (form.label, form.route + "?" + form.fields.map { "\($0.name)=…" }.joined(separator: "&"))
  }
}
