import AccountRoutes
import EstateContract
import MortgageRoutes
import Screens

struct HomeScreen: ContentScreen {
  private let loaded: LoadedHome
  private let quote: MortgageQuote
  private let plot: Plot?
  private let similar: [SimilarHome]
  private let marks: (any FavouriteMarking)?
  /// What the user has written about the home.
  private let written: [WrittenNote]
  /// The homes that the user compared last.
  private let compared: [Int]
  private let priceLabel: String

  init(
    _ loaded: LoadedHome, quote: MortgageQuote, others: [MortgageQuote], similar: [SimilarHome] = [],
    marks: (any FavouriteMarking)? = nil, written: [WrittenNote] = [], compared: [Int] = [],
    priceLabel: String = ""
  ) {
    self.written = written
    self.compared = compared
    self.loaded = loaded
    self.quote = quote
    plot = Plot(of: others + [quote], price: loaded.home.price)
    self.similar = similar
    self.marks = marks
    self.priceLabel = priceLabel
  }

  var content: ScreenContent {
    let home = loaded.home
    let title = "Home #\(home.id), \(home.city) \(home.zip)"
    return ScreenContent(
      title: title, blocks: [.picture(home.picture)] + facts + loan + notes + others,
      actions: actions, staleness: loaded.copy?.sentence)
  }

  private var facts: [ContentBlock] {
    let home = loaded.home
    let place = PlaceMap.Place(
      id: home.id, name: home.city, detail: Amounts.dollars(home.price), latitude: home.lat,
      longitude: home.lon)
    return [
      .facts(
        [
          Fact("Kind", home.kind.split(separator: "_").joined(separator: "-")),
          Fact("Bedrooms", "\(home.beds)", unit: "bedrooms"),
          Fact("Bathrooms", Amounts.number(home.baths), unit: "bathrooms"),
          Fact("Size", "\(home.sqft)", unit: "sqft"),
        ]),
      .text(
        "\(Amounts.dollars(home.price))\(priceLabel.isEmpty ? "" : " \(priceLabel)"), or \(Amounts.cents(quote.monthlyCents)) a month "
          + "(\(Amounts.dollars(quote.loan)) over \(quote.years) years at \(quote.percent) %)"),
      .map(PlaceMap([place])),
    ]
  }

  private var loan: [ContentBlock] { plot.map { [.heading("Loan"), .plot($0)] } ?? [] }

  private var notes: [ContentBlock] {
    let home = loaded.home
    let form = ScreenAction.perform(
      "Leave the note", "estate://notes/\(home.id)",
      fields: [.paragraph("text", label: "A note to the agent")])
    let own = written.map { note in
      ContentBlock.text("You wrote\(note.isSent ? "" : " (not sent)"): \(note.text)")
    }
    return (home.notes.map { [.text("Notes about it: \($0)")] } ?? []) + own + [.form(form)]
  }

  private var others: [ContentBlock] {
    similar.isEmpty
      ? []
      : [
        .heading("Similar homes"),
        .cards(similar.map { $0.card(mark: marks?.mark(of: $0.id) ?? .absent) }),
      ]
  }

  private var actions: [ScreenAction] {
    let home = loaded.home
    let favourite = (marks?.mark(of: home.id) ?? .absent).action(on: home.id).map { [$0] } ?? []
    let former = compared.isEmpty ? [] : [Self.comparison(compared, "Compare the same homes as before")]
    guard !similar.isEmpty else { return favourite + former }
    return favourite + [Self.comparison([home.id] + similar.map(\.id), "Compare with similar homes")] + former
  }

  private static func comparison(_ homes: [Int], _ label: String) -> ScreenAction {
    .show(label, "estate://compare?homes=\(homes.map(String.init).joined(separator: ","))")
  }
}

extension Home {
  /// The drawing of the home.
  fileprivate var picture: HomePicture {
    let kind: HomePicture.Kind =
      switch kind {
      case "condo": .condo
      case "multi_family": .multiFamily
      default: .house
      }
    return HomePicture(kind, home: id, squareFeet: sqft, beds: beds)
  }
}

extension SimilarHome {
  fileprivate func card(mark: FavouriteMark) -> Card {
    Card(
      id: "\(id)", title: "\(city) \(zip)",
      facts: [
        Fact("Bedrooms", "\(beds)", unit: "bd"), Fact("Bathrooms", Amounts.number(baths), unit: "ba"),
        Fact("Size", "\(squareFeet)", unit: "sqft"),
      ],
      price: Amounts.dollars(price),
      picture: AppBlock(HomePicture(.house, home: id, squareFeet: squareFeet, beds: beds)),
      route: "estate://home/\(id)", actions: mark.action(on: id).map { [$0] } ?? [],
      isMarked: mark != .absent)
  }
}

extension FavouriteMark {
  /// What the user can do with the mark of a home; nothing with one that the server has.
  fileprivate func action(on home: Int) -> ScreenAction? {
    switch self {
    case .absent: .perform("Add to favourites", "estate://favourites/add/\(home)", sign: ActionSign.favourite)
    case .waiting:
      .perform(
        "Take the favourite back", "estate://favourites/cancel/\(home)", sign: ActionSign.waitingFavourite)
    case .saved: nil
    }
  }
}
