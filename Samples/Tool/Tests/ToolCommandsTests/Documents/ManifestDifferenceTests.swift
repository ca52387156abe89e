import Foundation
import RouteManifests
import Testing
import ToolCommands

@Suite struct ManifestDifferenceTests {
  private static func route(
    _ name: String, _ pattern: String, output: String = "()", guards: String = "", reach: String = "link"
  ) -> String {
    """
    {"name":"\(name)","purpose":"","patterns":["\(pattern)"],"parameters":[],"reach":"\(reach)",
     "sources":[{"kind":"scheme","name":"app"}],"output":"\(output)","guards":[\(guards)],"priority":0}
    """
  }

  private static func manifest(_ modules: [(name: String, routes: [String])]) throws -> RouteManifest {
    let list = modules.map { name, routes in
      #"{"name":"\#(name)","needs":[],"routes":[\#(routes.joined(separator: ","))]}"#
    }
    let text = #"{"app":"Demo","appIDs":[],"modules":[\#(list.joined(separator: ","))]}"#
    return try JSONDecoder().decode(RouteManifest.self, from: Data(text.utf8))
  }

  @Test("Equal manifests have no difference")
  func equal() throws {
    let manifest = try Self.manifest([("A", [Self.route("R", "app://r")])])
    #expect(ManifestDifference(from: manifest, to: manifest).changes.isEmpty)
  }

  @Test("Added, removed and changed routes and modules have different marks, in the order of their names")
  func changes() throws {
    let old = try Self.manifest([
      ("A", [Self.route("Gone", "app://gone"), Self.route("R", "app://r")]), ("Old", []),
    ])
    let new = try Self.manifest([
      (
        "A",
        [Self.route("New", "app://new"), Self.route("R", "app://s", output: "Int", guards: #""members""#)]
      ),
      ("B", [Self.route("X", "app://x")]),
    ])
    #expect(
      ManifestDifference(from: old, to: new).lines(Ink(isOn: false)) == [
        "- A.Gone app://gone", "+ A.New app://new", "~ A.R app://s", "    URL: app://r → app://s",
        "    answers: () → Int", "    guards: none → members", "+ module B", "+ B.X app://x", "- module Old",
      ])
  }

  @Test("A table has a heading for each module, and a row for each route")
  func table() throws {
    let manifest = try Self.manifest([
      ("A", [Self.route("Long", "app://long/{id:int}", output: "House"), Self.route("R", "app://r")])
    ])
    #expect(
      RouteList(manifest).lines(Ink(isOn: false)) == [
        "Demo: 2 routes of 1 module", "", "A",
        "  app://long/{id:int}  Long  → House  link (scheme app)",
        "  app://r              R     → ()     link (scheme app)",
      ])
  }

  @Test("Control characters of a manifest are not printed")
  func controls() throws {
    let manifest = try Self.manifest([("A\\u001b[2J", [])])
    #expect(RouteList(manifest).lines(Ink(isOn: false)).last == "A\\u{1B}[2J")
  }
}
