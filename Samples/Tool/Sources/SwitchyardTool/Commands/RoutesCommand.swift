import ArgumentParser
import Foundation
import RouteManifests
import ToolCommands

struct RoutesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routes",
    abstract: "Shows the routes of an app's manifest, or what has changed between two.",
    discussion: """
      The manifest is routes.json, which swift package route-manifest writes. With --diff, exits with 1 if the \
      two manifests differ.
      """)

  @Argument(
    help: ArgumentHelp("The manifest; with --diff the old one and the new one.", valueName: "manifest"),
    completion: .file(extensions: ["json"]))
  var manifests: [String]

  @Flag(help: "Shows what has changed between two manifests.") var diff = false

  @Option(
    help: ArgumentHelp("Writes a drawing of modules, routes and guards.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  func validate() throws {
    guard manifests.count == (diff ? 2 : 1) else {
      throw ValidationError(diff ? "--diff needs two manifests, the old one first." : "Name one manifest.")
    }
    guard !diff || svg == nil else { throw ValidationError("--diff and --svg exclude each other.") }
  }

  func run() async throws {
    try await perform { [manifests, diff, svg] in
      var read: [RouteManifest] = []
      for path in manifests { read.append(try Self.manifest(path)) }
      let output = Terminal.output
      if diff {
        let difference = ManifestDifference(from: read[0], to: read[1])
        try output.lines(difference.lines(output.ink))
        if !difference.changes.isEmpty { throw ToolFailure(.refused, "") }
      } else if let svg {
        try OutputTarget.write(Array(read[0].drawing().utf8), to: svg)
      } else {
        try output.lines(RouteList(read[0]).lines(output.ink))
      }
    }
  }

  private static func manifest(_ path: String) throws(ToolFailure) -> RouteManifest {
    let bytes = try InputFile.bytes(of: path)
    do {
      return try JSONDecoder().decode(RouteManifest.self, from: Data(bytes))
    } catch {
      throw ToolFailure(
        .unreadable,
        "\(Printable.text(path)) is no manifest of routes; write one with swift package route-manifest.")
    }
  }
}
