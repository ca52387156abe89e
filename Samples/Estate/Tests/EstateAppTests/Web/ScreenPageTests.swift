import Screens
import Testing

@testable import EstateWeb

@Suite("A screen as a page")
struct ScreenPageTests {
  private func page(_ content: ScreenContent, messages: [String] = []) -> String {
    ScreenPage(
      content: content, number: 3,
      steps: [.init(path: "/home/1", title: content.title), .init(path: "/", title: "x")], isTop: true,
      asksForLogin: false, messages: messages.map { .init(text: $0, isFailure: false) }, token: "t"
    ).html.description
  }

  @Test("Every text is escaped, in every kind of block, and in actions, messages and steps")
  func escapes() {
    let evil = "\"'><script>alert(1)</script>&amp;\u{0}"
    let action = ScreenAction.perform(evil, evil, sign: ActionSign.favourite)
    let card = Card(
      id: "1", badge: evil, title: evil, facts: [Fact(evil, evil, unit: evil)], price: evil, note: evil,
      picture: AppBlock(HomePicture(.house, home: 1, squareFeet: 900, beds: 2)), route: "estate://" + evil,
      actions: [action])
    let place = PlaceMap.Place(id: 1, name: evil, detail: evil, latitude: 38, longitude: -121)
    let far = PlaceMap.Place(id: 2, name: evil, detail: evil, latitude: 39, longitude: -121, role: .found)
    let blocks: [ContentBlock] = [
      .heading(evil), .text(evil), .text("see estate://home/\"onmouseover=\"x'<b>"),
      .facts([Fact(evil, evil, unit: evil)]), .cards([card], more: action),
      .table(evil, header: [evil], rows: [[evil]]),
      .comparison(
        Comparison(
          [evil],
          of: [.init(evil, route: evil, values: [evil]), .init(evil, route: "estate://x", failure: evil)])),
      .form(
        .perform(
          evil, evil,
          fields: [
            .choice(evil, label: evil, value: evil, options: [Fact(evil, evil), Fact(evil, "a")]),
            .text(evil, label: evil, value: evil, suggestions: [Fact(evil, evil)]),
            .paragraph(evil, label: evil, value: evil), .number(evil, label: evil, value: evil),
          ])),
      .choices(evil, detail: evil, options: [.perform(evil, evil)], selected: 0),
      .plot(
        Plot(
          evil, setting: evil, result: evil, axis: [evil, evil], maximum: evil,
          curves: [.init(evil, values: [1, 0], extent: 1)],
          steps: [.init(evil, scale: 1, top: evil, results: [evil])], selected: 0)),
      .map(PlaceMap([place])),
      .map(
        PlaceMap(
          [place, place, far], placeRoute: evil, narrowing: .init(route: "estate://" + evil, parameter: evil))
      ),
      .failure(evil, action: action), .warning(evil), .information(evil),
    ]
    let html = page(
      ScreenContent(
        title: evil, address: evil, blocks: blocks, actions: [action, .show(evil, "estate://" + evil)],
        staleness: evil), messages: [evil])
    #expect(!html.contains("<script>") && !html.contains("x'<b>") && !html.contains("\u{0}"))
    #expect(!html.contains("\"onmouseover") && html.components(of: "<script ") == 1)
    #expect(html.components(of: "&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;\u{FFFD}") >= 40)
    #expect(
      html.contains("<a href=\"/link?url=estate%3A%2F%2Fhome%2F%22onmouseover%3D%22x%27%3Cb&amp;from=3\">"))
  }

  @Test(
    "Cities, which the server writes in capitals, are shown as names",
    arguments: [
      ("Houses in EL DORADO HILLS: page 1", "Houses in El Dorado Hills: page 1"),
      ("Home #42, SACRAMENTO 95822", "Home #42, Sacramento 95822"), ("A home, 3 bd", "A home, 3 bd"),
      ("GALT", "Galt"), ("", ""), ("McClellan", "McClellan"),
    ])
  func names(text: String, shown: String) { #expect(text.withNames == shown) }

  @Test("No two homes of a street look alike, and one always looks the same")
  func facades() {
    func facade(_ home: Int, _ kind: HomePicture.Kind) -> String {
      Facade(picture: HomePicture(kind, home: home, squareFeet: 1_200, beds: 3)).html.description
    }
    for kind in [HomePicture.Kind.house, .condo, .multiFamily] {
      #expect(Set((1...100).map { facade($0, kind) }).count == 100)
      #expect(facade(7, kind) == facade(7, kind))
    }
  }

  @Test("A text field with suggestions shows names instead of capitals, one without shows its text as it is")
  func suggestedNames() {
    func form(_ field: ScreenField) -> String {
      page(
        ScreenContent(title: "A", blocks: [.filters(.perform("Filter", "estate://a", fields: [field]))]))
    }
    let cities = [Fact("ELK GROVE", "ELK GROVE")]
    let city = form(.text("city", label: "City", value: "GALT", suggestions: cities))
    #expect(
      city.contains("value=\"Galt\"") && city.contains("<option value=\"Elk Grove\">Elk Grove</option>"))
    #expect(form(.text("name", label: "Name", value: "GALT")).contains("value=\"GALT\""))
  }

  @Test("A form's fields become the query of its route, without the empty ones")
  func formFields() {
    let fields = FormFields("token=t&route=estate%3A%2F%2Fa&route.city=EL+DORADO%26&route.beds=&route.max=1")
    #expect(
      WebAddress.url(of: fields["route"] ?? "", fields: fields.ofRoute)
        == "estate://a?city=EL%20DORADO%26&max=1")
    #expect(WebAddress.path(of: "estate://home/42?a=1") == "/home/42?a=1")
    #expect(WebAddress.path(of: "https://api.estate.test/") == nil)
  }

  @Test(
    "URLs in a line are found without trailing punctuation",
    arguments: [
      ("plain", [.text("plain")]), ("", []),
      (
        "mark a home with estate://favourites/add/42.",
        [.text("mark a home with "), .link("estate://favourites/add/42"), .text(".")]
      ),
      (
        "https://a.example/?q=1, estate://x",
        [.link("https://a.example/?q=1"), .text(", "), .link("estate://x")]
      ),
      ("  two  spaces", [.text("  two  spaces")]),
      ("javascript://x data:y", [.text("javascript://x data:y")]),
    ] as [(String, [LinkedLine.Part])])
  func links(line: String, parts: [LinkedLine.Part]) { #expect(LinkedLine(line).parts == parts) }

  @Test("The fields of a form are decoded once")
  func fields() {
    let fields = FormFields("url=estate%3A%2F%2Fa%252F&a=1+2&a=3&b&=x&c=%zz")
    #expect(fields["url"] == "estate://a%2F")
    #expect((fields["a"], fields["b"], fields["c"]) == ("1 2", "", nil))
    #expect(fields.all("a") == ["1 2", "3"] && fields.all("z") == [])
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
