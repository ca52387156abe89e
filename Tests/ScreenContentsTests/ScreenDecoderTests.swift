import BodyFormats
import Foundation
import Mediation
import RouteRedirects
import ScreenContents
import Testing

@Suite("A decoder of screens", .timeLimit(.minutes(5)))
struct ScreenDecoderTests {
  /// The content of version-1.json.
  private static let everything: ScreenContent = {
    var content = ScreenContent(
      title: "Buying a home", address: "estate://browse?kind=condo",
      blocks: [
        .heading("How it begins"),
        .text("With a look at estate://home/42."),
        .facts([Fact("Bedrooms", "3", unit: "bedrooms"), Fact("Kind", "house")]),
        .cards(
          [
            Card(
              id: "42", badge: "House", title: "Sacramento 95822",
              facts: [Fact("Size", "900", unit: "sqft")], price: "$59,222",
              note: "waiting for the network", picture: AppBlock(Drawing(storeys: 2)),
              route: "estate://home/42",
              actions: [.perform("Add to favourites", "estate://home/42", sign: "favourite")],
              isMarked: true),
            Card(id: "7", title: "Galt 95632", route: "estate://home/7"),
          ], more: .perform("More", "estate://browse"),
          selection: .show("Compare", "estate://compare", fields: [.text("homes", label: "Homes")]),
          maximum: 8),
        .table("Rates", header: ["Years", "Rate"], rows: [["15", "3.1 %"], ["30", "3.9 %"]]),
        .form(
          .perform(
            "Leave the note", "estate://notes/42",
            fields: [.paragraph("text", label: "A note", value: "Hello")])),
        .filters(
          .show(
            "Filter", "estate://browse",
            fields: [
              .choice(
                "kind", label: "Kind", value: "house",
                options: [Fact("House", "house"), Fact("Condo", "condo")]),
              .text("city", label: "City", suggestions: [Fact("Galt", "GALT")]),
              .number("max", label: "Price up to", value: "200000"),
            ])),
        .choices(
          "Order", detail: "by price",
          options: [
            .perform("newest", "estate://browse"), .perform("cheapest", "estate://browse?max=1"),
          ], selected: 1),
        .information("Prices change."),
        .warning("The office is closed.", action: .show("See", "estate://home/1")),
        .failure("Not loaded.", action: .perform("Try again", "estate://browse")),
        .app(AppBlock(Pins(pins: [.init(name: "Galt", home: 7)], search: "estate://browse"))),
      ],
      actions: [
        .show("All homes", "estate://browse"),
        .perform("Refresh", "estate://browse", sign: "refresh"),
      ], isLoading: true, staleness: "This is a stored copy.")
    content.origin = .external(ScreenDecoder.source)
    return content
  }()

  // MARK: Versions

  @Test("A document of version 1 has every kind of block, and is written as it is read")
  func versionOne() throws {
    let decoder = try ScreenDecoder.ofServer()
    #expect(try decoder.screen(from: golden("version-1.json")) == Self.everything)
    let written = [UInt8](try JSONEncoder().encode(Self.everything))
    #expect(try decoder.screen(from: written) == Self.everything)
    let (one, other) = (Data(written), Data(try golden("version-1.json")))
    #expect(
      try JSONSerialization.jsonObject(with: one) as? NSDictionary
        == JSONSerialization.jsonObject(with: other) as? NSDictionary)
  }

  @Test("Of a document of a later version, all that is unknown or changed shows its fallback")
  func laterVersion() throws {
    let content = try ScreenDecoder.ofServer().screen(from: golden("a-later-version.json"))
    #expect(
      content.blocks == [
        .heading("How it begins"), .text("See the film on our site."), .text("Four stars."),
        .text("Three bedrooms."), .information("Call us to visit it."),
        .cards([Card(id: "7", title: "Galt", route: "estate://home/7")]),
      ])
  }

  @Test(
    "A block that is malformed in a version that the app knows is an error, with or without a fallback",
    arguments: [1, 2])
  func malformedBlock(version: Int) throws {
    let decoder = try ScreenDecoder.ofServer()
    let block = #"{"kind": "facts", "facts": 7, "fallback": [{"kind": "text", "text": "B"}]}"#
    let fault = decoder.fault(document(block, version: version))
    #expect(fault?.field == (version == 1 ? "blocks[0].facts" : nil))
    let bare = #"{"kind": "facts", "facts": 7}"#
    #expect(decoder.fault(document(bare, version: version))?.field == "blocks[0].facts")
  }

  // MARK: K6

  @Test(
    "K6: An unknown block shows its fallback, and an action that does not resolve is refused before it is shown"
  )
  func unknownBlockAndAction() throws {
    let decoder = try ScreenDecoder.ofServer()
    let unknown = #"{"kind": "film", "fallback": [{"kind": "text", "text": "See the film."}]}"#
    let screen = try decoder.screen(document(unknown))
    #expect(screen.blocks == [.text("See the film.")] && screen.origin == .external(ScreenDecoder.source))
    let action = #"{"kind": "failure", "text": "B", "action": {"label": "C", "route": "estate://nowhere"}}"#
    // A fallback does not stand in for a route, and its own routes are checked if it is shown.
    for block in [
      action, #"{"kind": "film", "fallback": [\#(action)]}"#,
      String(action.dropLast()) + #", "fallback": []}"#,
    ] {
      for version in [1, 2] {
        let fault = try #require(decoder.fault(document(block, version: version)))
        #expect(fault.kind == .unroutable && fault.line == 1, "\(fault)")
        #expect(fault.field?.hasSuffix(".action.route") == true && fault.reason.contains("estate://nowhere"))
      }
    }
  }

  @Test(
    "An unknown word without a fallback is an error that names the part and the remedy",
    arguments: [
      (#"{"kind": "film"}"#, "blocks[0].kind"),
      (#"{"kind": "film", "fallback": null}"#, "blocks[0].kind"),
      (#"{"kind": "a", "fallback": [{"kind": "b"}]}"#, "blocks[0].fallback[0].kind"),
      (
        #"{"kind": "form", "action": {"label": "B", "route": "estate://browse", "fields": [{"kind": "date", "name": "city", "label": "C"}]}}"#,
        "blocks[0].action.fields[0].kind"
      ),
    ])
  func withoutFallback(block: String, field: String) throws {
    let decoder = try ScreenDecoder.ofServer()
    for version in [1, 9] {
      let fault = try #require(decoder.fault(document(block, version: version)))
      #expect(fault.kind == .unknown && fault.field == field && fault.description.contains("\"fallback\""))
    }
  }

  // MARK: Actions

  /// Documents that name a route, and the path to it.
  private static let places: [(field: String, text: String)] = [
    ("address", #"{"version": 1, "title": "A", "blocks": [], "address": "<route>"}"#),
    (
      "actions[0].route",
      #"{"version": 1, "title": "A", "blocks": [], "actions": [{"label": "B", "route": "<route>"}]}"#
    ),
    (
      "blocks[0].cards[0].route",
      document(#"{"kind": "cards", "cards": [{"id": "1", "title": "B", "route": "<route>"}]}"#)
    ),
    (
      "blocks[0].cards[0].actions[0].route",
      document(
        #"""
        {"kind": "cards", "cards": [{"id": "1", "title": "B", "route": "estate://home/1",
        "actions": [{"label": "C", "route": "<route>"}]}]}
        """#)
    ),
    (
      "blocks[0].more.route",
      document(#"{"kind": "cards", "cards": [], "more": {"label": "B", "route": "<route>"}}"#)
    ),
    (
      "blocks[0].selection.route",
      document(
        #"""
        {"kind": "cards", "cards": [], "maximum": 2, "selection": {"label": "B", "route": "<route>",
        "fields": [{"kind": "text", "name": "city", "label": "C"}]}}
        """#)
    ),
    (
      "blocks[0].action.route",
      document(#"{"kind": "form", "action": {"label": "B", "route": "<route>"}}"#)
    ),
    (
      "blocks[0].action.route",
      document(#"{"kind": "filters", "action": {"label": "B", "route": "<route>"}}"#)
    ),
    (
      "blocks[0].options[0].route",
      document(#"{"kind": "choices", "label": "B", "options": [{"label": "C", "route": "<route>"}]}"#)
    ),
    (
      "blocks[0].action.route",
      document(#"{"kind": "information", "text": "B", "action": {"label": "C", "route": "<route>"}}"#)
    ),
    (
      "blocks[0].action.route",
      document(#"{"kind": "warning", "text": "B", "action": {"label": "C", "route": "<route>"}}"#)
    ),
    ("blocks[0].content", document(#"{"kind": "pins", "content": {"pins": [], "search": "<route>"}}"#)),
  ]

  @Test(
    "Wherever a document names a route, it must exist and be exposed to the document's origin",
    arguments: Self.places)
  func routes(field: String, text: String) throws {
    let decoder = try ScreenDecoder.ofServer()
    func fault(_ url: String) -> ScreenError? { decoder.fault(text.replacing("<route>", with: url)) }
    #expect(fault("estate://browse") == nil)
    for url in [
      // No route, another server's, a page of the web, and no URL at all.
      "estate://nowhere", "stranger://home/1", "https://elsewhere.example/", "javascript:alert(1)", "",
      "home",
      // For the app's code only, for the module's own, for another source.
      "estate://logout", "estate://ledger", "estate://pushed",
      // A value that the route does not take.
      "estate://home/x", "estate://browse?max=many", "estate://browse?kind=tent",
    ] {
      let fault = try #require(fault(url), "\(url)")
      #expect(fault.kind == .unroutable && fault.field == field, "\(url): \(fault)")
    }
  }

  @Test("An error repeats neither the query of a route nor the texts of a document")
  func secrecy() throws {
    let decoder = try ScreenDecoder.ofServer()
    for place in Self.places {
      let fault = try #require(
        decoder.fault(place.text.replacing("<route>", with: "estate://nowhere?token=s3cret#s3cret")))
      #expect(!"\(fault)".contains("s3cret") && !String(reflecting: fault).contains("s3cret"), "\(fault)")
    }
    let pins = #"{"kind": "pins", "content": {"pins": "s3cret"}}"#
    #expect(decoder.fault(document(pins)).map { "\($0)".contains("s3cret") } == false)
  }

  @Test(
    "A field of an action must be one of its route's; what the user will give is not checked",
    arguments: [
      ("estate://notes/42", "text", true), ("estate://notes/42", "note", false),
      ("estate://notes/x", "text", false), ("estate://notes/42?text=a", "text", false),
      ("estate://browse?max=many", "kind", false), ("estate://browse?max=1", "kind", true),
      ("estate://browse", "max", true), ("estate://home/42", "text", false),
      ("estate://notes/42#part", "text", true), ("estate://logout", "text", false),
    ])
  func fields(route: String, name: String, isRight: Bool) throws {
    let fault = try ScreenDecoder.ofServer().fault(
      document(
        #"""
        {"kind": "form", "action": {"label": "B", "route": "\#(route)",
        "fields": [{"kind": "number", "name": "\#(name)", "label": "C"}]}}
        """#))
    #expect((fault == nil) == isRight, "\(String(describing: fault))")
  }

  @Test("A redirect leads a document's actions on, and one that a table disables is refused")
  func redirects() throws {
    let redirects = RedirectTables(.unsigned())
    let decoder = try ScreenDecoder.ofServer(redirects)
    let old = document(
      #"{"kind": "failure", "text": "B", "action": {"label": "C", "route": "estate://old"}}"#)
    #expect(decoder.fault(old)?.kind == .unroutable)
    try redirects.apply(RedirectTable(version: 1, rules: [.redirect("estate://old", to: "estate://browse")]))
    #expect(decoder.fault(old) == nil)
    let home = document(
      #"{"kind": "failure", "text": "B", "action": {"label": "C", "route": "estate://home/1"}}"#)
    #expect(decoder.fault(home) == nil)
    try redirects.apply(RedirectTable(version: 2, rules: [.disable("estate://home/{id:int}")]))
    #expect(decoder.fault(home)?.kind == .unroutable)
  }

  @Test("Content of the app's own code may have all of the app's routes")
  func ownContent() throws {
    let decoder = ScreenDecoder(
      routes: try Mediator(schemes: ["estate"], modules: [HomesModule()]), origin: .native(module: nil))
    let logout = #"{"kind": "warning", "text": "B", "action": {"label": "C", "route": "estate://logout"}}"#
    #expect(try decoder.screen(document(logout)).origin == .native(module: nil))
    let ledger = #"{"kind": "warning", "text": "B", "action": {"label": "C", "route": "estate://ledger"}}"#
    #expect(decoder.fault(document(ledger))?.kind == .unroutable)
  }

  // MARK: Form

  @Test(
    "A part that is missing or of another form is an error that names it",
    arguments: [
      ("[]", nil), ("7", nil), ("{}", "version"), (#"{"version": 0}"#, "version"),
      (#"{"version": -1}"#, "version"), (#"{"version": "1"}"#, "version"), (#"{"version": 1}"#, "title"),
      (#"{"version": 1.5}"#, "version"), (#"{"version": 1, "title": "A"}"#, "blocks"),
      (#"{"version": 1, "title": null, "blocks": []}"#, "title"),
      (#"{"version": 1, "title": "A", "blocks": {}}"#, "blocks"),
      (#"{"version": 1, "title": "A", "blocks": [7]}"#, "blocks[0]"),
      (#"{"version": 1, "title": "A", "blocks": [], "isLoading": 1}"#, "isLoading"),
      (#"{"version": 1, "title": "A", "blocks": [], "actions": {}}"#, "actions"),
      (#"{"version": 1, "title": "A", "blocks": [], "actions": [{"label": "B"}]}"#, "actions[0].route"),
      (#"{"version": 1, "title": "A\u001B[2J", "blocks": []}"#, "title"),
      (#"{"version": 1, "title": "A\u009B", "blocks": []}"#, "title"),
      (document("{}"), "blocks[0].kind"), (document(#"{"kind": 7}"#), "blocks[0].kind"),
      (document(#"{"kind": "heading"}"#), "blocks[0].text"),
      (document(#"{"kind": "text", "text": ["B"]}"#), "blocks[0].text"),
      (document(#"{"kind": "facts", "facts": [{"label": "B"}]}"#), "blocks[0].facts[0].value"),
      (
        document(#"{"kind": "table", "caption": "B", "header": [], "rows": ["C"]}"#), "blocks[0].rows[0]"
      ),
      (document(#"{"kind": "cards"}"#), "blocks[0].cards"),
      (
        document(#"{"kind": "cards", "cards": [{"id": 7, "title": "B", "route": "estate://home/7"}]}"#),
        "blocks[0].cards[0].id"
      ),
      (
        document(
          #"""
          {"kind": "cards", "cards": [{"id": "7", "title": "B", "route": "estate://home/7"},
          {"id": "7", "title": "C", "route": "estate://home/8"}]}
          """#), "blocks[0].cards[1].id"
      ),
      (
        document(
          #"{"kind": "cards", "cards": [], "selection": {"label": "B", "route": "estate://browse"}}"#),
        "blocks[0].selection"
      ),
      (
        document(
          #"""
          {"kind": "cards", "cards": [], "maximum": 0, "selection": {"label": "B", "route": "estate://browse",
          "fields": [{"kind": "text", "name": "city", "label": "C"}]}}
          """#), "blocks[0].maximum"
      ),
      (
        document(#"{"kind": "choices", "label": "B", "options": [], "selected": 0}"#), "blocks[0].selected"
      ),
      (
        document(
          #"""
          {"kind": "form", "action": {"label": "B", "route": "estate://browse", "fields": [
          {"kind": "text", "name": "city", "label": "C"}, {"kind": "text", "name": "city", "label": "D"}]}}
          """#), "blocks[0].action.fields"
      ),
      (
        document(
          #"""
          {"kind": "failure", "text": "B", "action": {"label": "C", "route": "estate://browse", "fields": [
          {"kind": "text", "name": "city", "label": "D"}]}}
          """#), "blocks[0].action.fields"
      ),
      (document(#"{"kind": "pins"}"#), "blocks[0].content"),
      (document(#"{"kind": "pins", "content": {"pins": [{}]}}"#), "blocks[0].content"),
      (
        document(
          #"""
          {"kind": "cards", "cards": [{"id": "7", "title": "B", "route": "estate://home/7",
          "picture": {"kind": "drawing", "content": {"storeys": "two"}}}]}
          """#), "blocks[0].cards[0].picture.content"
      ),
    ] as [(String, String?)])
  func form(text: String, field: String?) throws {
    let fault = try #require(try ScreenDecoder.ofServer().fault(text))
    #expect(fault.kind == .invalid && fault.field == field, "\(fault)")
    #expect(fault.reason.contains(field ?? "The content") && fault.line != nil, "\(fault)")
  }

  @Test(
    "What is no JSON, has a key twice, or is too deep is an error before anything is read",
    arguments: [
      "", "{", "nonsense", #"{"version": 1, "version": 1, "title": "A", "blocks": []}"#,
      document(String(repeating: "[", count: 40) + String(repeating: "]", count: 40)),
      document(
        String(repeating: #"{"kind": "a", "fallback": ["#, count: 40) + String(repeating: "]}", count: 40)),
    ])
  func limits(text: String) throws {
    let fault = try #require(try ScreenDecoder.ofServer().fault(text))
    #expect(fault.kind == .malformed, "\(fault)")
  }

  @Test("A document of the greatest size and depth is read")
  func greatest() throws {
    let decoder = try ScreenDecoder.ofServer()
    let deep = String(repeating: #"{"kind": "a", "fallback": ["#, count: 15)
    let text = document(deep + String(repeating: "]}", count: 15))
    #expect(try decoder.screen(text).blocks.isEmpty)
    let padding = String(repeating: " ", count: ScreenDecoder.maximumLength - text.utf8.count)
    #expect(decoder.fault(text + padding) == nil && decoder.fault(text + padding + " ")?.kind == .malformed)
  }

  @Test("The line of a fault is that of its part")
  func lines() throws {
    let decoder = try ScreenDecoder.ofServer()
    let text = "{\n\"version\": 1,\n\"title\": \"A\",\n\"blocks\": [\n\n{\"kind\": \"heading\"},\n]}"
    #expect(decoder.fault(text)?.line == 7)
    let fault = decoder.fault(String(text.dropLast(4)) + "\n]}")
    #expect(fault?.line == 6 && fault?.description.hasPrefix("Line 6: `blocks[0].text` ") == true)
  }

  // MARK: Several screens

  @Test("Of several screens all are read, or none; an error's path begins with the screen's name")
  func severalScreens() throws {
    let decoder = try ScreenDecoder.ofServer()
    func screens(_ text: String) throws -> [String: ScreenContent] {
      try decoder.screens(from: Array(text.utf8))
    }
    let one = document(#"{"kind": "text", "text": "B"}"#)
    let two = #"{"version": 1, "title": "C", "blocks": []}"#
    #expect(try screens(#"{"a": \#(one), "b": \#(two)}"#).mapValues(\.title) == ["a": "A", "b": "C"])
    #expect(try screens("{}").isEmpty)
    let bad = document(#"{"kind": "heading"}"#)
    let fault = #expect(throws: ScreenError.self) { try screens(#"{"b": \#(bad), "a": \#(two)}"#) }
    #expect(fault?.field == "b.blocks[0].text")
    for text in ["[]", "", #"{"a": 7}"#, #"{"a": {}, "a": {}}"#] {
      #expect(throws: ScreenError.self) { try screens(text) }
    }
  }

  @Test("Two blocks of the app are equal if their contents are of one kind and equal")
  func equality() {
    let blocks = [Drawing(storeys: 1), Drawing(storeys: 2)].map { AppBlock($0) } + [AppBlock(Pins(pins: []))]
    for (index, block) in blocks.enumerated() {
      #expect(blocks.indices.filter { blocks[$0] == block } == [index])
    }
  }
}
