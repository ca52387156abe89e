import EstateApp
import EstateServer
import Screens
import Testing

@testable import estate_soak

@Suite("The judge of a soak's screens")
struct ScreenJudgeTests {
  private let judge: ScreenJudge
  private let home: Home

  init() throws {
    judge = ScreenJudge(listings: try .sacramento())
    home = try #require(judge.listings.home(42))
  }

  private func isWrong(_ verdict: SoakMessage.Ending) -> Bool {
    if case .wrong = verdict { true } else { false }
  }

  private func card(_ home: Home, price: Int? = nil) -> Card {
    Card(
      id: "\(home.id)", title: home.city, price: Amounts.dollars(price ?? home.price),
      route: "estate://home/\(home.id)")
  }

  @Test("A home's page has its title and its price")
  func page() {
    func content(_ title: String, _ price: Int) -> ScreenContent {
      ScreenContent(title: title, blocks: [.text("\(Amounts.dollars(price)), or a month")])
    }
    let title = "Home #42, \(home.city) \(home.zip)"
    #expect(judge.verdict(on: .home(42), .done, nil, showing: content(title, home.price)) == .right)
    for wrong in [content("Home #41", home.price), content(title, home.price + 1), nil] {
      #expect(isWrong(judge.verdict(on: .home(42), .done, nil, showing: wrong)))
    }
  }

  @Test("A list has homes of its city, each once and with its price")
  func list() {
    func verdict(_ cards: [Card]) -> SoakMessage.Ending {
      judge.verdict(
        on: .homes(city: home.city), .done, nil,
        showing: ScreenContent(title: "", blocks: [.cards(cards)]))
    }
    #expect(verdict([card(home)]) == .right)
    let stranger = judge.listings.homes.first { $0.city != home.city } ?? home
    for cards in [[], [card(home), card(home)], [card(home, price: 1)], [card(stranger)]] {
      #expect(isWrong(verdict(cards)))
    }
  }

  @Test("A comparison has the values of its homes, of which some may have failed")
  func comparison() {
    func verdict(_ values: [String], _ ids: [Int] = [42, 7]) -> SoakMessage.Ending {
      let subjects = [
        Comparison.Subject("#42", route: "", values: values),
        Comparison.Subject("#7", route: "", failure: "The server is away."),
      ]
      return judge.verdict(
        on: .compare(ids), .done, nil,
        showing: ScreenContent(title: "", blocks: [.comparison(Comparison(["Price"], of: subjects))]))
    }
    #expect(verdict([Amounts.dollars(home.price)]) == .right)
    #expect(isWrong(verdict(["$1"])) && isWrong(verdict([Amounts.dollars(home.price)], [42, 8])))
  }

  @Test(
    "Errors of the faults are explained, others are wrong",
    arguments: [
      ("connect", "why", true), ("status_502", "why", true), ("malformed", "why", false),
      ("DeploymentError", "can't be used: No space left on device", true), ("DeploymentError", "why", false),
      ("rejected", "refused, because several in a row failed", true), ("rejected", "a rule", false),
    ])
  func failures(label: String, text: String, isExplained: Bool) {
    let verdict = judge.verdict(on: .home(42), .failed(label), text, showing: nil)
    #expect(verdict == (isExplained ? .failed(label) : .wrong("\(label): \(text)")))
  }
}
