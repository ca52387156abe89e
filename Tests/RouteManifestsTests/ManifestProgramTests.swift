import Foundation
import Mediation
import RouteManifests
import Testing

@Suite struct ManifestProgramTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "route-manifests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func run(_ arguments: String..., on manifest: RouteManifest) -> (status: Int32, output: String) {
    var output = ""
    let status = ManifestProgram(manifest).run(arguments, in: folder.path) { output += $0 }
    return (status, output)
  }

  @Test("Written documents are up to date, and a changed route is reported line by line")
  func check() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let manifest = try ShopApp.manifest()
    #expect(run("--check", on: manifest).status == 1, "nothing is written yet")
    #expect(run(on: manifest).status == 0)
    let paths = try manifest.documents().map(\.path)
    #expect(paths.count == 6)
    for path in paths {
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: "Manifest/\(path)").path))
    }
    let fresh = run("--check", on: manifest)
    #expect(fresh.status == 0 && fresh.output == "route-manifest: 6 documents are up to date\n", "\(fresh)")

    let smaller = RouteManifest(
      app: "Shop", appIDs: manifest.appIDs,
      routes: try ShopApp.mediator().routes.filter { $0.name != "BasketRoute" },
      needs: ["Orders": manifest.modules[1].needs])
    let changed = run("--check", on: smaller)
    #expect(changed.status == 1)
    #expect(changed.output.contains("Manifest/routes.md: error: it is out of date"))
    #expect(changed.output.contains(": | `BasketRoute` | `shop://basket`"), "\(changed.output)")
    #expect(changed.output.contains("\n  - 19: "), "\(changed.output)")
    #expect(changed.output.contains("route-manifest: 3 of 6 documents differ"), "\(changed.output)")

    try FileManager.default.removeItem(at: folder.appending(path: "Manifest/routes.svg"))
    let missing = run("--check", on: manifest)
    #expect(missing.status == 1)
    #expect(missing.output.contains("Manifest/routes.svg: error: it is missing or can't be read"))
  }

  @Test("Each format can be printed alone", arguments: ManifestFormat.allCases)
  func printing(format: ManifestFormat) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let manifest = try ShopApp.manifest()
    let printed = run("--format", format.rawValue, on: manifest)
    #expect(printed.status == 0)
    #expect(printed.output == (try manifest.documents(in: format).map(\.text).joined()))
    #expect(printed.output.hasSuffix("\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(
    "An invalid command line exits with 64 and a reason",
    arguments: [
      (["--format"], "--format needs one of json, markdown"),
      (["--format", "mermaid"], "--format needs one of"),
      (["--output"], "--output needs a folder"), (["--frobnicate"], "unknown argument --frobnicate"),
      (["--format", "json", "--check"], "--format prints"),
    ] as [([String], String)])
  func usage(arguments: [String], complaint: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var output = ""
    #expect(ManifestProgram(try ShopApp.manifest()).run(arguments, in: folder.path) { output += $0 } == 64)
    #expect(output.contains(complaint), "\(output)")
  }

  @Test("A folder that cannot be written exits with 73 and names the file")
  func unwritable() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data().write(to: folder.appending(path: "Manifest"))
    let outcome = run(on: try ShopApp.manifest())
    #expect(outcome.status == 73)
    #expect(outcome.output.contains("Manifest/routes.json: error: can't be written"), "\(outcome)")
  }

  @Test("The help exits with 0")
  func help() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let outcome = run("--help", on: try ShopApp.manifest())
    #expect(outcome.status == 0 && outcome.output.contains("Exit codes: 0 done, 1 a document differs"))
  }
}
