import Foundation
import Screens
import TerminalScreens
import Testing

@Suite("The content of a screen as text")
struct TerminalTextTests {
  private func lines(_ blocks: ContentBlock...) -> [String] {
    TerminalText(ScreenContent(title: "", blocks: blocks)).lines
  }

  @Test("Facts are one line, with their units and without their labels")
  func facts() {
    let facts = [Fact("Kind", "house"), Fact("Size", "900", unit: "sqft")]
    #expect(lines(.facts(facts)) == ["house, 900 sqft"])
  }

  @Test("Of many cards the last ten are shown, and one with a note has the URL of its action")
  func cards() {
    let cards = (1...12).map { Card(id: "\($0)", title: "GALT", price: "$1", route: "estate://home/\($0)") }
    let shown = lines(.cards(cards))
    #expect(shown.first == "… and 2 above" && shown.count == 11)
    #expect(shown.last == "#12   GALT                $1")
    let waiting = Card(
      id: "7", title: "Home #7", note: "waiting", route: "estate://home/7",
      actions: [.perform("Take back", "estate://favourites/cancel/7")])
    #expect(lines(.cards([waiting])) == ["#7    waiting; estate://favourites/cancel/7"])
  }

  @Test("A notice names the route of its action, and staleness is the last line")
  func notice() {
    let content = ScreenContent(
      title: "", blocks: [.failure("Not loaded.", action: .perform("Try again", "e://a"))],
      staleness: "This is a stored copy.")
    #expect(
      TerminalText(content).lines == ["Not loaded.", "Say e://a to try again.", "This is a stored copy."])
  }

  @Test("A property in which the loaded subjects are equal does not differ")
  func differences() {
    let comparison = Comparison(
      ["City", "Price"],
      of: [
        .init("#1", route: "e://1", values: ["GALT", "$1"]), .init("#2", route: "e://2", failure: "404"),
        .init("#3", route: "e://3", values: ["GALT", "$2"]),
      ])
    #expect([0, 1, 2].map(comparison.differs) == [false, true, false])
    #expect(
      lines(.comparison(comparison)) == ["#1      GALT  $1", "#2      not loaded: 404", "#3      GALT  $2"])
  }

  @Test("Of choices the selected one is shown, and the others are offered as routes")
  func choices() {
    let choices = ContentBlock.choices(
      "Network", detail: "since noon",
      options: [.perform("online", "e://online"), .perform("offline", "e://offline")], selected: 0)
    #expect(lines(choices) == ["Network: online, since noon"])
    let content = ScreenContent(title: "", blocks: [choices], actions: [.show("Back", "e://back")])
    #expect(content.offeredRoutes.map(\.route) == ["e://back", "e://offline"])
  }
}
