import Screens

/// Cards as a list of articles, each with its drawing, its price and a heart.
struct CardGrid {
  private static let heart: HTML = """
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 20.3 4.2 12.6a4.9 4.9 0 0 1 7-6.9l.8.8.8-.8a4.9 \
    4.9 0 0 1 7 6.9z"/></svg>
    """

  let cards: [Card]
  let more: ScreenAction?
  let selection: ScreenAction?
  let maximum: Int
  let page: ContentPage

  var html: HTML {
    let more: HTML = more.map { "<div class=\"after\">\(page.button($0))</div>" } ?? ""
    return "<div class=\"list\"><ul class=\"cards\">\(cards.map(card))</ul>\(picker)\(more)</div>\n"
  }

  /// The button for the cards that are picked, whose boxes are outside of the form.
  private var picker: HTML {
    guard let selection else { return "" }
    return """
      <form class="picker" id="picked" action="/picked" data-maximum="\(maximum)">\
      <input type="hidden" name="route" value="\(selection.route)"><input type="hidden" name="parameter" \
      value="\(selection.fields.first?.name ?? "")"><button class="main">\(selection.label) what is picked</button></form>
      """
  }

  private func pick(_ card: Card) -> HTML {
    guard let selection else { return "" }
    return """
      <label class="pick"><input type="checkbox" form="picked" name="card" value="\(card.id)"> \
      \(selection.label)<span class="hidden"> home \(card.id)</span></label>
      """
  }

  private func card(_ card: Card) -> HTML {
    let picture: HTML =
      (card.picture?.content as? HomePicture).map {
        "<div class=\"picture\">\(Facade(picture: $0).html)</div>"
      } ?? ""
    let facts: HTML =
      card.facts.isEmpty ? "" : "<ul>\(card.facts.map { "<li>\($0.text)</li>" as HTML })</ul>"
    let kind: HTML = card.badge.map { "<p class=\"kind\">\($0)</p>" } ?? ""
    let price: HTML = card.price.map { "<p class=\"price\">\($0)</p>" } ?? ""
    let note: HTML = card.note.map { "<p class=\"waits\">\($0)</p>" } ?? ""
    return """
      <li class="card" id="home-\(card.id)">\(picture)<div class="body">\(kind)\(price)\
      \(title(of: card))\(facts)\(note)\(pick(card))</div>\(mark(of: card))</li>

      """
  }

  private func title(of card: Card) -> HTML {
    let link = page.link(to: card.route, card.title.withNames)
    // One level below the nearest heading.
    return page.hasHeadings ? "<h3>\(link)</h3>" : "<h2>\(link)</h2>"
  }

  /// The heart: filled for a favourite, dashed for one that waits, otherwise a button that adds one.
  private func mark(of card: Card) -> HTML {
    let action = card.actions.first { [ActionSign.favourite, ActionSign.waitingFavourite].contains($0.sign) }
    guard let action else {
      guard card.isMarked else { return "" }
      return """
        <div class="heart"><span class="on" role="img" aria-label="Home \(card.id) is a favourite">\
        \(Self.heart)</span></div>
        """
    }
    let name = action.sign == ActionSign.waitingFavourite ? "on waiting" : "off"
    let waits = action.sign == ActionSign.waitingFavourite ? ", which waits for the network" : ""
    return """
      <form class="heart stays" method="post" action="/open">\(page.hidden)<button class="\(name)" name="url" \
      value="\(action.route)" aria-label="\(action.label)\(waits): home \(card.id)" title="\(action.label)\
      \(waits)">\(Self.heart)</button></form>
      """
  }
}
