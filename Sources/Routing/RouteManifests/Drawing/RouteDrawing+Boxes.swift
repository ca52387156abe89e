import Mediation

/// The lengths of a drawing.
enum DrawingMetrics {
  static let margin = 28
  static let cardWidth = 384
  static let cardGap = 20
  static let cardPadding = 12
  static let laneGap = 12
  static let openerHeight = 24
  static let openerGap = 6
  static let patternSize = 11
  static let nameSize = 13
  static let noteSize = 12
  static let headingSize = 16
  static let lineHeight = 16
  /// The maximum number of lines for each pattern, and of patterns for each route.
  static let (patternLines, patterns) = (2, 3)

  static var boxWidth: Int { cardWidth - 2 * cardPadding }
  static var textWidth: Int { boxWidth - 20 }
}

extension RouteDrawing.Card {
  /// Creates the card of a module at the origin.
  init(_ module: RouteManifest.Module, omitting shared: Set<String>, lighting lit: Set<String>) {
    typealias Metrics = DrawingMetrics
    let count = "\(module.routes.count) \(module.routes.count == 1 ? "route" : "routes")"
    let inner = Metrics.cardWidth - 2 * Metrics.cardPadding
    let countWidth = DrawnText.width(count, size: Metrics.noteSize)
    let name = DrawnText.fitted(
      module.name, to: inner - countWidth - 12, size: Metrics.headingSize, bold: true)
    texts = [
      .init(text: name, style: .heading, x: Metrics.cardPadding, y: 27),
      .init(text: count, style: .note, x: Metrics.cardWidth - Metrics.cardPadding, y: 26, endsAtX: true),
    ]
    var y = 42
    let guards = Set(module.routes.first?.guards ?? []).subtracting(shared)
    let common = module.routes.reduce(into: guards) { $0.formIntersection($1.guards) }
    if let first = module.routes.first, !common.isEmpty, module.routes.count > 1 {
      let words = "guards: \(first.guards.filter(common.contains).joined(separator: ", "))"
      texts.append(
        .init(
          text: DrawnText.fitted(words, to: inner, size: Metrics.noteSize), style: .guards,
          x: Metrics.cardPadding, y: y + 2))
      y += Metrics.lineHeight
    }
    let known = module.routes.count > 1 ? shared.union(common) : shared
    routes = []
    for route in module.routes {
      let isLit = !lit.isDisjoint(with: route.patterns) || lit.contains("\(module.name).\(route.name)")
      let box = RouteDrawing.Box(route, of: module.name, at: y, omitting: known, isLit: isLit)
      routes.append(box)
      y = box.frame.bottom + 6
    }
    frame = .init(x: 0, y: 0, width: Metrics.cardWidth, height: y + 6)
  }
}

extension RouteDrawing.Box {
  fileprivate init(
    _ route: RouteManifest.Route, of module: String, at top: Int, omitting known: Set<String>, isLit: Bool
  ) {
    typealias Metrics = DrawingMetrics
    let x = Metrics.cardPadding + 10
    var texts: [RouteDrawing.Text] = []
    let answer = ["Void", "()"].contains(route.output) ? "" : "→ \(route.output)"
    let output = DrawnText.fitted(answer, to: Metrics.textWidth / 2, size: Metrics.noteSize)
    let left = Metrics.textWidth - (output.isEmpty ? 0 : DrawnText.width(output, size: Metrics.noteSize) + 12)
    let name = DrawnText.fitted(route.name, to: left, size: Metrics.nameSize, bold: true)
    var y = top + 20
    texts.append(.init(text: name, style: .name, x: x, y: y))
    if !output.isEmpty {
      texts.append(.init(text: output, style: .note, x: x + Metrics.textWidth, y: y, endsAtX: true))
    }
    func add(_ text: String, _ style: RouteDrawing.Text.Style) {
      y += Metrics.lineHeight
      texts.append(.init(text: text, style: style, x: x, y: y))
    }
    let cells = Metrics.textWidth * 100 / (Metrics.patternSize * 61)
    for pattern in route.patterns.prefix(Metrics.patterns) {
      for line in DrawnText.lines(of: pattern, cells: cells, maximum: Metrics.patternLines) {
        add(line, .pattern)
      }
    }
    let more = route.patterns.count - Metrics.patterns
    if more > 0 { add("and \(more) more \(more == 1 ? "pattern" : "patterns")", .note) }
    if route.patterns.isEmpty { add("by its type, without a URL", .note) }
    let own = route.guards.filter { !known.contains($0) }
    if !own.isEmpty {
      let words = "\(own.count == 1 ? "guard" : "guards"): \(own.joined(separator: ", "))"
      add(DrawnText.fitted(words, to: Metrics.textWidth, size: Metrics.noteSize), .guards)
    }
    self.texts = texts
    self.isLit = isLit
    frame = .init(
      x: Metrics.cardPadding, y: top, width: Metrics.boxWidth, height: y + 10 - top)
    border =
      switch route.reach {
      case .native: .native
      case .moduleOnly: .inner
      case .app, .link: .open
      }
    let lines =
      ["\(module).\(route.name)\(isLit ? ", opened" : "")", route.purpose] + route.patterns + [answer]
    summary = DrawnText.printable(lines.filter { !$0.isEmpty }.joined(separator: " · "))
  }
}

extension RouteDrawing.Card {
  /// Moves the card and everything on it.
  func moved(x: Int, y: Int) -> RouteDrawing.Card {
    var copy = self
    copy.frame = frame.moved(x: x, y: y)
    copy.texts = texts.map { $0.moved(x: x, y: y) }
    copy.routes = routes.map { box in
      RouteDrawing.Box(
        frame: box.frame.moved(x: x, y: y), texts: box.texts.map { $0.moved(x: x, y: y) },
        border: box.border, isLit: box.isLit, summary: box.summary)
    }
    return copy
  }
}

extension RouteDrawing.Frame {
  fileprivate func moved(x: Int, y: Int) -> RouteDrawing.Frame {
    RouteDrawing.Frame(x: self.x + x, y: self.y + y, width: width, height: height)
  }
}

extension RouteDrawing.Text {
  fileprivate func moved(x: Int, y: Int) -> RouteDrawing.Text {
    RouteDrawing.Text(text: text, style: style, x: self.x + x, y: self.y + y, endsAtX: endsAtX)
  }
}
