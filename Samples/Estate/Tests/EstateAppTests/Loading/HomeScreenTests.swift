import AccountRoutes
import MortgageRoutes
import Screens
import Testing

@testable import Account
@testable import HomeDetail

@Suite("The screen of a home")
@MainActor struct HomeScreenTests {
  private let home = Home(
    id: 42, kind: "house", city: "GALT", zip: "95632", beds: 3, baths: 2, sqft: 1_200, price: 150_000,
    lat: 38, lon: -121, notes: nil)
  private let quotes = [
    MortgageQuote(loan: 120_000, percent: 6.5, years: 30, monthlyCents: 75_848),
    MortgageQuote(loan: 120_000, percent: 0, years: 10, monthlyCents: 100_000),
  ]

  private func similar(_ id: Int, _ price: Int) -> SimilarHome {
    SimilarHome(id: id, city: "GALT", zip: "95632", beds: 3, baths: 2, squareFeet: 1_200, price: price)
  }

  @Test("Similar homes are the three nearest in price, the home itself excepted")
  func nearest() {
    let houses = [(1, 170_000), (42, 150_000), (7, 149_000), (3, 151_000), (9, 140_000)].map(similar)
    #expect(SimilarHomes.nearest(houses, to: home).map(\.id) == [3, 7, 9])
    #expect(SimilarHomes.nearest([], to: home).isEmpty)
  }

  @Test("A plot has the quoted payments at the quoted down payment, and balances that fall to zero")
  func plot() throws {
    let plot = try #require(Plot(of: quotes, price: home.price))
    #expect(plot.curves.map(\.extent) == [10.0 / 30, 1])
    for curve in plot.curves {
      #expect(curve.values.first == 1 && curve.values.last == 0)
      #expect(zip(curve.values, curve.values.dropFirst()).allSatisfy { $0 > $1 })
    }
    let step = plot.steps[plot.selected]
    #expect(step.label == "20 % down" && step.top == "$120,000")
    #expect(step.results == ["$1,000.00", "$758.48"])
    #expect(plot.steps.first?.results == ["$1,250.00", "$948.10"])
    #expect(Plot(of: [], price: home.price) == nil && Plot(of: quotes, price: 0) == nil)
  }

  @Test("Half of a loan without interest is owed after half of its term")
  func balance() {
    #expect(quotes[1].remainingShare(afterMonths: 60) == 0.5)
    #expect(quotes[1].remainingShare(afterMonths: -1) == 1)
    #expect(quotes[0].remainingShare(afterMonths: 180) > 0.5)
    #expect(quotes[0].remainingShare(afterMonths: 400) == 0)
  }

  @Test("The action of a home follows its mark: to add it, to take it back, and none for a saved one")
  func marks() {
    let marks = FavouriteMarks()
    let screen = HomeScreen(
      LoadedHome(home: home, copy: nil), quote: quotes[0], others: [quotes[1]], marks: marks)
    #expect(screen.content.actions.map(\.route) == ["estate://favourites/add/42"])
    marks.update(saved: [7], waiting: [42])
    #expect(screen.content.actions.map(\.route) == ["estate://favourites/cancel/42"])
    marks.add(42)
    #expect(screen.content.actions.isEmpty && marks.mark(of: 7) == .saved)
    marks.update(saved: nil, waiting: [])
    #expect(marks.mark(of: 42) == .saved)
    marks.removeAll()
    #expect(marks.mark(of: 42) == .absent)
  }
}
