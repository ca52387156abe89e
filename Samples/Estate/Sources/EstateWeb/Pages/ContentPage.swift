import Foundation
import Screens

/// The content of a screen as HTML; all texts of it are escaped.
struct ContentPage {
  let content: ScreenContent
  /// The number of the screen's entry, with whose permissions its links are followed.
  let number: Int?
  let token: String

  /// The blocks, in the layout that suits them.
  var html: HTML {
    let blocks = joined(content.blocks)
    if blocks.first?.own is HomePicture { return detail }
    if blocks.contains(where: isLargeMap) { return finder }
    return "<div class=\"blocks\">\(blocks.map(html))</div>\n"
  }

  /// Whether the content has headings of its own, below the title.
  var hasHeadings: Bool {
    content.blocks.contains { if case .heading = $0 { true } else { false } }
  }

  /// The blocks with lists of cards that follow each other as one list.
  private func joined(_ blocks: [ContentBlock]) -> [ContentBlock] {
    blocks.reduce(into: []) { joined, block in
      if case .cards(let next, let more, let nextSelection, let nextMaximum) = block,
        case .cards(let cards, _, let selection, let maximum) = joined.last
      {
        joined[joined.count - 1] = .cards(
          cards + next, more: more, selection: selection ?? nextSelection,
          maximum: selection == nil ? nextMaximum : maximum)
      } else {
        joined.append(block)
      }
    }
  }

  /// What can be done on the screen.
  var actions: HTML {
    let shown = content.actions.filter { $0.sign != ActionSign.more }
    return shown.isEmpty ? "" : "<div class=\"actions\">\(shown.map { button($0) })</div>\n"
  }

  /// A list beside its map.
  private var finder: HTML {
    let forms = content.blocks.filter(isForm)
    let maps = content.blocks.filter(isLargeMap)
    let rest = content.blocks.filter { block in !forms.contains(block) && !isLargeMap(block) }
    return """
      <div class="blocks">\(forms.map(html))<div class="finder mapped">\(maps.map(html))\
      <div class="blocks">\(rest.map(html))\(more)</div></div></div>

      """
  }

  /// One thing with its drawing and its facts, and others below.
  private var detail: HTML {
    let split = content.blocks.firstIndex(where: isCards) ?? content.blocks.endIndex
    var above = Array(content.blocks[..<split])
    var below = Array(content.blocks[split...])
    if case .heading = above.last { below.insert(above.removeLast(), at: 0) }
    let aside = above.filter {
      if case .choices = $0 { true } else { isForm($0) || $0.own is PlaceMap }
    }
    let main = above.filter { !aside.contains($0) }
    return """
      <div class="blocks"><div class="detail"><div class="blocks">\(main.map(html))</div>\
      <div class="blocks">\(aside.map(html))</div></div>\(below.map(html))</div>

      """
  }

  private var more: HTML {
    guard let more = content.actions.first(where: { $0.sign == ActionSign.more }) else { return "" }
    return "<div class=\"after\">\(button(more))</div>"
  }

  private func isCards(_ block: ContentBlock) -> Bool { if case .cards = block { true } else { false } }

  private func isForm(_ block: ContentBlock) -> Bool {
    switch block {
    case .form, .filters: true
    default: false
    }
  }

  private func isLargeMap(_ block: ContentBlock) -> Bool {
    (block.own as? PlaceMap).map { $0.places.count > 1 } ?? false
  }

  private func html(of block: ContentBlock) -> HTML {
    switch block {
    case .heading(let text): "<h2>\(text)</h2>\n"
    case .text(let text): "<p class=\"text\">\(linked(text))</p>\n"
    case .facts(let facts): html(of: facts)
    case .cards(let cards, let more, let selection, let maximum):
      CardGrid(cards: cards, more: more, selection: selection, maximum: maximum, page: self).html
    case .table(let caption, let header, let rows): html(of: caption, header, rows)
    case .form(let form): html(of: form, submitsChanges: false)
    case .filters(let form): html(of: form, submitsChanges: true)
    case .choices(let label, let detail, let options, let selected):
      html(of: label, detail, options, selected)
    case .information(let text, let action): notice("information", text, action)
    case .warning(let text, let action): notice("warning", text, action)
    case .failure(let text, let action): notice("failure", text, action)
    case .app(let block): html(of: block.content)
    }
  }

  private func html(of content: any AppContent) -> HTML {
    switch content {
    case let picture as HomePicture: "<div class=\"picture\">\(Facade(picture: picture).html)</div>\n"
    case let comparison as Comparison: html(of: comparison)
    case let plot as Plot: PlotDrawing(plot: plot).html
    case let map as PlaceMap: MapDrawing(map).html
    default: ""
    }
  }

  private func html(of list: [Fact]) -> HTML {
    let facts = list.map { fact -> HTML in
      // "Bedrooms: 3 bedrooms" says the same twice.
      let isNamed = fact.unit.map { fact.label.lowercased() == $0 } ?? true
      return "<div><dt>\(fact.label)</dt><dd>\(isNamed ? fact.value : fact.text)</dd></div>"
    }
    return "<dl class=\"summary\">\(facts)</dl>\n"
  }

  private func notice(_ level: String, _ text: String, _ action: ScreenAction?) -> HTML {
    let role = level == "failure" ? "alert" : "status"
    return """
      <div class="notice \(level)" role="\(role)"><p>\(linked(text))</p>\
      \(action.map { button($0) } ?? "")</div>

      """
  }

  private func html(of caption: String, _ header: [String], _ rows: [[String]]) -> HTML {
    let head = header.map { "<th scope=\"col\">\($0)</th>" as HTML }
    let rows = rows.map { row -> HTML in "<tr>\(row.map { "<td>\($0)</td>" as HTML })</tr>" }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(caption)"><table>\
      <caption>\(caption)</caption><thead><tr>\(head)</tr></thead><tbody>\(rows)</tbody></table></div>

      """
  }

  private func html(of comparison: Comparison) -> HTML {
    let head = comparison.subjects.map { subject -> HTML in
      "<th scope=\"col\">\(link(to: subject.route, subject.name))</th>"
    }
    let rows = comparison.properties.enumerated().map { index, property -> HTML in
      let cells = comparison.subjects.map { subject -> HTML in
        if let failure = subject.failure {
          return index == 0
            ? "<td class=\"missing\" rowspan=\"\(comparison.properties.count)\">Not loaded: \(failure)</td>"
            : ""
        }
        return "<td>\(subject.values.indices.contains(index) ? subject.values[index].withNames : "–")</td>"
      }
      let mark = comparison.differs(in: index) ? "differs" : "equal"
      return "<tr class=\"\(mark)\"><th scope=\"row\">\(property)</th>\(cells)</tr>"
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Comparison"><table>\
      <thead><tr><td></td>\(head)</tr></thead><tbody>\(rows)</tbody></table></div>

      """
  }

  private func html(
    of label: String, _ detail: String?, _ options: [ScreenAction], _ selected: Int?
  ) -> HTML {
    let options = options.enumerated().map { index, option -> HTML in
      index == selected
        ? "<button name=\"url\" value=\"\(option.route)\" aria-pressed=\"true\">\(option.label)</button>"
        : "<button name=\"url\" value=\"\(option.route)\" aria-pressed=\"false\">\(option.label)</button>"
    }
    return """
      <form class="panel" method="post" action="/open">\(hidden)<div class="label" id="\(label)">\
      \(label)<span class="meta">\(detail ?? "")</span></div>\
      <div class="segments" role="group" aria-labelledby="\(label)">\(options)</div></form>

      """
  }
}

extension ContentPage {
  /// The token, and the entry that a form belongs to.
  var hidden: HTML {
    """
    <input type="hidden" name="token" value="\(token)"><input type="hidden" name="from" \
    value="\(number.map(String.init) ?? "")">
    """
  }

  /// An action as a link or as the button of a form.
  func button(_ action: ScreenAction) -> HTML {
    if action.opensScreen, let path = WebAddress.path(of: action.route) {
      return "<a class=\"button\" href=\"\(path)\">\(action.label)</a>"
    }
    return """
      <form class="stays" method="post" action="/open">\(hidden)\
      <button name="url" value="\(action.route)">\(action.label)</button></form>
      """
  }

  func link(to route: String, _ text: String) -> HTML {
    guard let path = WebAddress.path(of: route) else { return "\(text)" }
    return "<a href=\"\(path)\">\(text)</a>"
  }

  /// A text with its URLs as links, which have the permissions of the screen.
  private func linked(_ text: String) -> [HTML] {
    LinkedLine(text).parts.map { part in
      switch part {
      case .text(let text): "\(text)"
      case .link(let url): "<a href=\"\(followed(url))\">\(url)</a>"
      }
    }
  }

  private func followed(_ url: String) -> String {
    let coded = url.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return "/link?url=\(coded)" + (number.map { "&from=\($0)" } ?? "")
  }
}
