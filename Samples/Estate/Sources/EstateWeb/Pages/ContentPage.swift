import Foundation
import Screens

/// The content of a screen as HTML; all texts of it are escaped.
struct ContentPage {
  let content: ScreenContent
  /// The number of the screen's entry, with whose permissions its links are followed.
  let number: Int?
  /// Proves that a form comes from a page of this app.
  let token: String

  /// The blocks, in the layout that suits them.
  var html: HTML {
    let blocks = joined(content.blocks)
    if case .picture = blocks.first { return detail }
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
      if case .cards(let next) = block, case .cards(let list) = joined.last {
        joined[joined.count - 1] = .cards(
          CardList(list.cards + next.cards, more: next.more, selection: list.selection ?? next.selection))
      } else {
        joined.append(block)
      }
    }
  }

  /// What can be done on the screen.
  var actions: HTML {
    let shown = content.actions.filter { $0.sign != .more }
    return shown.isEmpty ? "" : "<div class=\"actions\">\(shown.map { button($0) })</div>\n"
  }

  /// A list beside its map.
  private var finder: HTML {
    let forms = content.blocks.filter { if case .form = $0 { true } else { false } }
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
      switch $0 {
      case .map, .form, .choices: true
      default: false
      }
    }
    let main = above.filter { !aside.contains($0) }
    return """
      <div class="blocks"><div class="detail"><div class="blocks">\(main.map(html))</div>\
      <div class="blocks">\(aside.map(html))</div></div>\(below.map(html))</div>

      """
  }

  private var more: HTML {
    guard let more = content.actions.first(where: { $0.sign == .more }) else { return "" }
    return "<div class=\"after\">\(button(more))</div>"
  }

  private func isCards(_ block: ContentBlock) -> Bool { if case .cards = block { true } else { false } }

  private func isLargeMap(_ block: ContentBlock) -> Bool {
    if case .map(let map) = block { map.places.count > 1 } else { false }
  }

  private func html(of block: ContentBlock) -> HTML {
    switch block {
    case .heading(let text): "<h2>\(text)</h2>\n"
    case .text(let text): "<p class=\"text\">\(linked(text))</p>\n"
    case .facts(let list): html(of: list)
    case .picture(let picture): "<div class=\"picture\">\(Facade(picture: picture).html)</div>\n"
    case .cards(let list): CardGrid(list: list, page: self).html
    case .table(let table): html(of: table)
    case .comparison(let comparison): html(of: comparison)
    case .form(let form): html(of: form)
    case .choices(let group): html(of: group)
    case .plot(let plot): PlotDrawing(plot: plot).html
    case .map(let map): MapDrawing(map).html
    case .notice(let notice): html(of: notice)
    }
  }

  private func html(of list: FactList) -> HTML {
    let facts = list.facts.map { fact -> HTML in
      // "Bedrooms: 3 bedrooms" says the same twice.
      let isNamed = fact.unit.map { fact.label.lowercased() == $0 } ?? true
      return "<div><dt>\(fact.label)</dt><dd>\(isNamed ? fact.value : fact.text)</dd></div>"
    }
    return "<dl class=\"summary\">\(facts)</dl>\n"
  }

  private func html(of notice: Notice) -> HTML {
    let role = notice.level == .failure ? "alert" : "status"
    return """
      <div class="notice \(notice.level.rawValue)" role="\(role)"><p>\(linked(notice.text))</p>\
      \(notice.action.map { button($0) } ?? "")</div>

      """
  }

  private func html(of table: ContentTable) -> HTML {
    let head = table.header.map { "<th scope=\"col\">\($0)</th>" as HTML }
    let rows = table.rows.map { row -> HTML in "<tr>\(row.map { "<td>\($0)</td>" as HTML })</tr>" }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(table.caption)"><table>\
      <caption>\(table.caption)</caption><thead><tr>\(head)</tr></thead><tbody>\(rows)</tbody></table></div>

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

  private func html(of group: ChoiceGroup) -> HTML {
    let options = group.options.map { option -> HTML in
      option.isSelected
        ? "<button name=\"url\" value=\"\(option.route)\" aria-pressed=\"true\">\(option.label)</button>"
        : "<button name=\"url\" value=\"\(option.route)\" aria-pressed=\"false\">\(option.label)</button>"
    }
    return """
      <form class="panel" method="post" action="/open">\(hidden)<div class="label" id="\(group.label)">\
      \(group.label)<span class="meta">\(group.detail ?? "")</span></div>\
      <div class="segments" role="group" aria-labelledby="\(group.label)">\(options)</div></form>

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
    if action.kind == .show, let path = WebAddress.path(of: action.route) {
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
