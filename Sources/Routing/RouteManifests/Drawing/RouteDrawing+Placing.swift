import Mediation

extension RouteDrawing {
  /// Lays out a manifest; the same manifest always gets the same drawing.
  package init(of manifest: RouteManifest, lighting lit: Set<String> = []) {
    typealias Metrics = DrawingMetrics
    let all = manifest.routes.map(\.route)
    let shared = all.dropFirst().reduce(into: Set(all.first?.guards ?? [])) { $0.formIntersection($1.guards) }
    let unplaced = manifest.modules.map { Card($0, omitting: shared, lighting: lit) }
    let starts = Self.columnStarts(of: unplaced.map(\.frame.height), routes: all.count)
    let columns = unplaced.indices.map { index in (starts.lastIndex { $0 <= index }) ?? 0 }
    let targets = OpenerTargets.all(in: manifest)
    let lanes = starts.indices.map { column in
      targets.indices.filter { targets[$0].targets.contains { columns[$0.module] == column } }
    }
    // The room beside each column, then the left edge of its cards.
    let gutters = lanes.map { $0.isEmpty ? 0 : 18 + $0.count * Metrics.laneGap }
    var edges: [Int] = []
    var x = Metrics.margin
    for gutter in gutters {
      x += gutter + (edges.isEmpty ? 0 : 18)
      edges.append(x)
      x += Metrics.cardWidth
    }
    width = (edges.isEmpty ? Metrics.margin + Metrics.cardWidth : x) + Metrics.margin
    let heading = Self.heading(
      manifest, guards: all.first?.guards.filter(shared.contains) ?? [], width: width - 2 * Metrics.margin)
    let openersTop = heading.bottom + 18
    let pitch = Metrics.openerHeight + Metrics.openerGap
    let cardsTop = targets.isEmpty ? openersTop : openersTop + targets.count * pitch + 16
    var cards: [Card] = []
    var below = starts.map { _ in cardsTop }
    for (index, card) in unplaced.enumerated() {
      let column = columns[index]
      cards.append(card.moved(x: edges[column], y: below[column]))
      below[column] += card.frame.height + Metrics.cardGap
    }
    let bottom = cards.isEmpty ? cardsTop : (below.max() ?? cardsTop) - Metrics.cardGap
    openers = targets.enumerated().map { number, target in
      let frame = Frame(
        x: edges.first ?? Metrics.margin, y: openersTop + number * pitch, width: Metrics.cardWidth,
        height: Metrics.openerHeight)
      var opener = Opener(target, number: number, within: frame)
      opener.lanes = starts.indices.compactMap { column in
        guard let place = lanes[column].firstIndex(of: number) else { return nil }
        // Lines from the same side turn without crossing each other.
        let fromEdge = column == 0 ? lanes[column].count - 1 - place : place
        let stops = target.targets.filter { columns[$0.module] == column }.map { cards.stop(at: $0) }
        return Lane(x: edges[column] - 18 - fromEdge * Metrics.laneGap, stops: Set(stops).sorted())
      }
      return opener
    }
    connectors = Self.connectors(of: openers, to: cards, at: edges)
    let legend = Self.legend(
      isLit: !lit.isEmpty, hasOpeners: !targets.isEmpty, at: bottom + 30, width: width - 2 * Metrics.margin)
    self.cards = cards
    texts = heading.texts + legend
    height = (legend.last?.y ?? bottom) + 22
    summary = DrawnText.printable(Self.summary(of: manifest, targets))
  }

  /// Returns the index of the first card of each column, so that the highest column is as low as possible.
  static func columnStarts(of heights: [Int], routes: Int) -> [Int] {
    let count = min(heights.count, routes <= 6 ? 1 : routes <= 60 ? 2 : 3)
    guard count > 1 else { return [0] }
    func height(_ range: Range<Int>) -> Int { heights[range].reduce(0) { $0 + $1 + DrawingMetrics.cardGap } }
    if count == 2 {
      let cut = (1..<heights.count).min {
        max(height(0..<$0), height($0..<heights.count)) < max(height(0..<$1), height($1..<heights.count))
      }
      return [0, cut ?? 1]
    }
    var best = (starts: [0, 1, 2], height: Int.max)
    for first in 1..<(heights.count - 1) {
      for second in (first + 1)..<heights.count {
        let highest = max(height(0..<first), height(first..<second), height(second..<heights.count))
        if highest < best.height { best = ([0, first, second], highest) }
      }
    }
    return best.starts
  }

  private static func connectors(of openers: [Opener], to cards: [Card], at edges: [Int]) -> [Connector] {
    var result: [Connector] = []
    let heads = Set(cards.map { [$0.frame.x, $0.head] })
    for edge in edges {
      let before = edges.last { $0 < edge } ?? 0
      let lanes = openers.flatMap(\.lanes).filter { $0.x < edge && $0.x > before }
      for y in Set(lanes.flatMap(\.stops)).sorted() {
        let farthest = lanes.filter { $0.stops.contains(y) }.map(\.x).min() ?? edge
        let inset = heads.contains([edge, y]) ? 0 : DrawingMetrics.cardPadding
        result.append(Connector(from: farthest, to: edge + inset, y: y))
      }
    }
    return result
  }
}

extension [RouteDrawing.Card] {
  /// The height at which lines reach a route or the head of a card.
  fileprivate func stop(at target: OpenerTargets.Target) -> Int {
    let card = self[target.module]
    return target.route.map { card.routes[$0].frame.y + 16 } ?? card.head
  }
}

extension RouteDrawing.Opener {
  fileprivate init(_ target: OpenerTargets, number: Int, within frame: RouteDrawing.Frame) {
    typealias Metrics = DrawingMetrics
    let name = DrawnText.fitted(
      target.name, to: frame.width * 3 / 5, size: Metrics.nameSize, bold: true)
    let nameWidth = DrawnText.width(name, size: Metrics.nameSize, bold: true)
    let note = DrawnText.fitted(target.note, to: frame.width - nameWidth - 36, size: Metrics.noteSize)
    kind = target.kind
    color = number
    self.frame = RouteDrawing.Frame(
      x: frame.x, y: frame.y,
      width: min(frame.width, nameWidth + DrawnText.width(note, size: Metrics.noteSize) + 36),
      height: frame.height)
    texts = [
      .init(text: name, style: .name, x: frame.x + 12, y: frame.y + 17),
      .init(text: note, style: .note, x: self.frame.right - 12, y: frame.y + 17, endsAtX: true),
    ]
  }
}

extension RouteDrawing {
  private static func heading(_ manifest: RouteManifest, guards: [String], width: Int) -> (
    texts: [Text], bottom: Int
  ) {
    let x = DrawingMetrics.margin
    func count(_ number: Int, _ one: String) -> String { "\(number) \(one)\(number == 1 ? "" : "s")" }
    let routes = manifest.modules.reduce(0) { $0 + $1.routes.count }
    var counts = "\(count(routes, "route")) of \(count(manifest.modules.count, "module"))"
    if !manifest.sources.isEmpty {
      counts += ", \(count(manifest.sources.count, "source")) outside of the app"
    }
    let name = DrawnText.fitted("Routes of \(manifest.app)", to: width, size: 22, bold: true)
    var texts = [Text(text: name, style: .title, x: x, y: 50), Text(text: counts, style: .note, x: x, y: 74)]
    if !guards.isEmpty {
      let words = "Guards of every route: \(guards.joined(separator: ", "))"
      texts.append(
        Text(
          text: DrawnText.fitted(words, to: width, size: DrawingMetrics.noteSize), style: .guards, x: x, y: 92
        ))
    }
    return (texts, texts.last?.y ?? 74)
  }

  private static func legend(isLit: Bool, hasOpeners: Bool, at top: Int, width: Int) -> [Text] {
    var words = hasOpeners ? "A dot is where the line's source or module opens a route. " : ""
    words += "Other routes are opened by the app's own code; a dashed one, by its module only."
    if isLit { words += " Filled routes have been opened." }
    return DrawnText.paragraph(words, width: width, size: DrawingMetrics.noteSize).enumerated().map {
      Text(
        text: $1, style: .note, x: DrawingMetrics.margin, y: top + $0 * DrawingMetrics.lineHeight)
    }
  }

  private static func summary(of manifest: RouteManifest, _ openers: [OpenerTargets]) -> String {
    let modules = manifest.modules.map { "\($0.name): \($0.routes.map(\.name).joined(separator: ", "))." }
    return (modules + openers.map { "\($0.name) \($0.note)." }).joined(separator: " ")
  }
}
