import Foundation
import RouteRedirects

@testable import Mediation

extension FuzzTarget {
  static let redirectTable = FuzzTarget(
    name: "redirect-table", reads: "redirect tables of a server: JSON, or a rule on each line",
    maximumLength: 2_048,
    seeds: texts(
      "estate://home/{id:int} estate://villa/{id:int}\nestate://map\nestate://old/{x} estate://help/{x}",
      "estate://home/{id} https://help.example/{id}\nestate://villa/7 estate://home/7",
      "estate://a/{b...} estate://help/{b...}\nestate://help/x estate://a/x",
      "estate://map estate://villa/5?tab=x",
      #"{"version": 3, "rules": [{"from": "estate://map", "disabled": true}, "#
        + #"{"from": "estate://home/{id:int}", "to": "estate://villa/{id:int}", "values": {"tab": "map"}}]}"#),
    words: [
      " ", "\n", "estate://", "home", "villa", "help", "map", "/{id:int}", "/{path...}", "?tab={tab?}",
      "https://help.example", "{\"from\": \"", "\"to\": \"", "\"values\": {", "\"disabled\": true",
    ]
  ) { bytes in
    let isJSON = bytes.first == UInt8(ascii: "{")
    guard let table = isJSON ? try? JSONDecoder().decode(RedirectTable.self, from: Data(bytes)) : table(bytes)
    else {
      return
    }
    let written = try JSONEncoder().encode(table)
    try require(
      try? JSONDecoder().decode(RedirectTable.self, from: written), equals: table,
      "A redirect table, written as JSON, is the same.")
    let redirects = RedirectTables(.unsigned(webHosts: ["help.example"]))
    let mediator = try Mediator(schemes: ["estate"], modules: [HomesModule()], redirector: redirects)
    guard (try? redirects.apply(table)) != nil else { return }
    try check(table, mediator)
  }

  private static func table(_ bytes: [UInt8]) -> RedirectTable {
    let rules = bytes.split(separator: 0x0A).map { line in
      let words = line.split(separator: 0x20, maxSplits: 1).map { text($0) }
      return words.count == 2 ? RedirectRule.redirect(words[0], to: words[1]) : .disable(words.first ?? "")
    }
    return RedirectTable(version: 1, rules: rules)
  }

  /// Follows the redirects of URLs to which the rules apply.
  private static func check(_ table: RedirectTable, _ mediator: Mediator) throws {
    let urls = table.rules.compactMap { try? RoutePattern($0.from) }.map { $0.sampleURL(with: $0) }
    for url in urls + ["estate://home/7", "estate://help/a/b", "estate://map"] where RouteURL.isReadable(url)
    {
      for origin in [Origin.external(.push), .native(module: nil)] {
        var call = CallState(
          .text(url), Caller(origin: origin, wantsResult: false), rules: mediator.redirector?.snapshot())
        do {
          _ = try mediator.locate(&call, isOpening: false)
        } catch RouteError.redirectLoop(let trail) {
          throw BrokenLaw(law: "An accepted table leads no URL in a circle.", evidence: "\(trail)")
        } catch {}
        // The call has followed the redirects, also if it can't open what they lead to.
        guard !call.trail.isEmpty, let end = call.destination.url, let match = mediator.registry.match(end)
        else { continue }
        try require(
          match.route.admits(origin), "A redirect opens no route to a caller that may not open it.", end.text)
      }
    }
  }
}

/// A module whose routes a table can redirect.
private struct HomesModule: BusinessModule {
  let name = "Homes"

  func declare(into table: inout RouteTable) {
    table.action(HomeRoute.self) { _, _ in }
    table.action(VillaRoute.self) { _, _ in }
    table.action(CellarRoute.self) { _, _ in }
    table.action(HelpRoute.self) { _, _ in }
    table.action(MapRoute.self) { _, _ in }
  }
}

private struct HomeRoute: Route {
  static let pattern: RoutePattern = "estate://home/{id:int}?tab={tab?}"
  static let exposure: Exposure = .link([.push])
  let id: Int
  init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
  func write(to output: inout RouteOutput) { output.set("id", to: id) }
}

private struct VillaRoute: Route {
  static let pattern: RoutePattern = "estate://villa/{id:int}?tab={tab?}"
  static let exposure: Exposure = .link([.push])
  let id: Int
  init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
  func write(to output: inout RouteOutput) { output.set("id", to: id) }
}

private struct CellarRoute: Route {
  static let pattern: RoutePattern = "estate://cellar/{id}"
  let id: String
  init(from input: RouteInput) throws(RouteError) { id = try input.value("id") }
  func write(to output: inout RouteOutput) { output.set("id", to: id) }
}

private struct HelpRoute: Route {
  static let pattern: RoutePattern = "estate://help/{path...}"
  static let exposure: Exposure = .link([.push])
  let path: [String]
  init(from input: RouteInput) throws(RouteError) { path = try input.rest("path") }
  func write(to output: inout RouteOutput) { output.set("path", toRest: path) }
}

private struct MapRoute: ParameterlessRoute {
  static let pattern: RoutePattern = "estate://map"
  static let exposure: Exposure = .link([.push])
  init() {}
}
