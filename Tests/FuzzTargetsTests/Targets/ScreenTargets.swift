import Foundation
import Mediation
import ScreenContents

extension FuzzTarget {
  static let screen = FuzzTarget(
    name: "screen", reads: "screens of a server: JSON documents", maximumLength: 8_192,
    seeds: texts(
      #"{"version": 1, "title": "A", "address": "estate://home/7", "blocks": [{"kind": "text", "text": "B"}]}"#,
      #"{"version": 2, "title": "A", "blocks": [{"kind": "film", "fallback": [{"kind": "heading", "text": "B"}]}]}"#,
      #"{"version": 1, "title": "A", "blocks": [{"kind": "pins", "content": {"homes": [7, 8]}}]}"#,
      #"""
      {"version": 1, "title": "A", "blocks": [{"kind": "cards", "cards": [{"id": "1", "title": "B", "route":
      "estate://home/7", "picture": {"kind": "pins", "content": {"homes": []}}}], "maximum": 2, "selection":
      {"label": "C", "route": "estate://search", "fields": [{"kind": "text", "name": "city", "label": "D"}]}}]}
      """#,
      #"""
      {"version": 1, "title": "A", "isLoading": true, "staleness": "B", "actions": [{"label": "C", "route":
      "estate://home/7", "sign": "more", "opensScreen": true}], "blocks": [{"kind": "choices", "label": "D",
      "options": [{"label": "E", "route": "estate://search?city=a"}], "selected": 0}, {"kind": "table",
      "caption": "F", "header": ["G"], "rows": [["1"]]}, {"kind": "facts", "facts": [{"label": "H",
      "value": "1", "unit": "m"}]}, {"kind": "failure", "text": "I", "action": {"label": "J", "route":
      "estate://search"}}, {"kind": "filters", "action": {"label": "K", "route": "estate://search", "fields":
      [{"kind": "choice", "name": "city", "label": "L", "options": [{"label": "M", "value": ""}]}]}}]}
      """#),
    words: [
      "\"version\": ", "\"kind\": ", "\"blocks\": [", "\"fallback\": [", "\"route\": \"estate://", "home/7",
      "search?city=", "secret", "\"fields\": [", "\"text\"", "\"film\"", "\"pins\"", "\"content\": {",
      "\\u001b",
    ]
  ) { bytes in
    let decoder = try Self.decoder.get()
    let content: ScreenContent
    do throws(ScreenError) {
      content = try decoder.screen(from: bytes)
    } catch {
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      try require((1...lines).contains(error.line ?? 1), "The line of a fault is one of the document.")
      let isPlain = error.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      try require(isPlain && error.description.utf8.count < 4_096, "An error is a short line of text.")
      return
    }
    let written = try [UInt8](JSONEncoder().encode(content))
    try require(
      try? decoder.screen(from: written), equals: content, "A screen, written as JSON, is the same.")
    let mediator = try Self.mediator.get()
    for route in routes(of: content) {
      let base = String(route.prefix { $0 != "?" && $0 != "#" })
      try require(
        mediator.canOpen(base, origin: source), "A screen has no route that its origin can't open.", route)
    }
  }

  private static let source = Origin.external(.push)
  private static let mediator = Result { try Mediator(schemes: ["estate"], modules: [ScreenModule()]) }
  private static let decoder = mediator.map { ScreenDecoder(routes: $0, origin: source, kinds: [Pins.self]) }

  private static func routes(of content: ScreenContent) -> [String] {
    let inBlocks = content.blocks.flatMap { block -> [String] in
      switch block {
      case .heading, .text, .facts, .table: []
      case .cards(let cards, let more, let selection, _):
        cards.flatMap {
          [$0.route] + $0.actions.map(\.route) + ($0.picture?.content.actions ?? []).map(\.route)
        }
          + [more, selection].compactMap { $0?.route }
      case .form(let action), .filters(let action): [action.route]
      case .choices(_, _, let options, _): options.map(\.route)
      case .information(_, let action), .warning(_, let action), .failure(_, let action):
        [action?.route].compactMap(\.self)
      case .app(let block): block.content.actions.map(\.route)
      }
    }
    return [content.address].compactMap(\.self) + content.actions.map(\.route) + inBlocks
  }
}

/// A module with routes that screens of a server may lead to, and one that they may not.
private struct ScreenModule: BusinessModule {
  let name = "Homes"

  func declare(into table: inout RouteTable) {
    let routes: [(RoutePattern, Exposure)] = [
      ("estate://home/{id:int}", .link([.push])), ("estate://search?city={city?}", .link([.push])),
      ("estate://secret", .app),
    ]
    for (pattern, exposure) in routes {
      table.action(at: pattern, named: pattern.text, exposure: exposure) { _, _ in }
    }
  }
}

/// Content of a kind that an app adds.
private struct Pins: AppContent {
  static let kind = "pins"
  var homes: [Int]
  var actions: [ScreenAction] { homes.map { .show("", "estate://home/\($0)") } }
}
