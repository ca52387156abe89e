import Foundation
import Testing

@Suite struct RequirementsTests {
  private static let install = "Scripts/install-dependencies"
  /// What targets may name without a branch for Apple's platforms.
  private static let namesOfLinux: [String: Set<String>] = [
    "CCurlShims": ["epoll", "eventfd", "/proc", "os(Linux)"],
    "NetworkMonitoring": ["Glibc", "netlink", "os(Linux)"],
  ]

  private static func text(of path: String) throws -> String {
    try String(contentsOf: Checkout.folder.appending(path: path), encoding: .utf8)
  }

  @Test("The documents say what products need by the manifest, the module maps and the imports")
  func documents() async throws {
    let page = RequirementsPage(graph: try await .ofCheckout())
    for path in ["README.md", "Sources/Switchyard/Switchyard.docc/Requirements.md"] {
      let text = try Self.text(of: path)
      let written = try page.written(text)
      try #require(text.contains("<!-- requirements: "))
      if ProcessInfo.processInfo.environment["SWITCHYARD_WRITE_REQUIREMENTS"] == "1" {
        try Data(written.utf8).write(to: Checkout.folder.appending(path: path))
      } else {
        let isCurrent = written == text
        #expect(
          isCurrent,
          "\(path) differs; \"SWITCHYARD_WRITE_REQUIREMENTS=1 swift test --filter RequirementsTests\" writes it"
        )
      }
    }
  }

  @Test("The chain and the mediator need neither a library nor Foundation")
  func small() async throws {
    let graph = try await PackageGraph.ofCheckout()
    for product in ["Interception", "Mediation"] { #expect(graph.needs(of: product) == PackageGraph.Needs()) }
  }

  @Test("The package of each library is installed", arguments: SystemLibrary.allCases)
  func installation(library: SystemLibrary) throws {
    #expect(try Self.text(of: Self.install).contains("'library|\(library.package)|"))
  }

  @Test("Only listed targets name what only Linux has, outside branches for Apple's platforms")
  func linux() async throws {
    for (target, folder) in try await PackageGraph.ofCheckout().folders where !folder.hasPrefix("Tests/") {
      let listed = Self.namesOfLinux[target] ?? []
      var found: Set<String> = []
      for source in try SourceText.all(in: folder) {
        for (line, name) in source.namesOfLinux {
          found.insert(name)
          #expect(
            listed.contains(name), "\(source.path):\(line): only Linux has \(name); add canImport(Darwin)")
        }
      }
      #expect(found == listed, "\(target)")
    }
  }
}

@Suite struct PackageGraphTests {
  private static let manifest = """
    {"products": [{"name": "App", "targets": ["App"], "type": {"library": ["automatic"]}},
      {"name": "Both", "targets": ["Seam", "COpenSSL"], "type": {"library": ["automatic"]}},
      {"name": "Tool", "targets": ["Tool"], "type": {"executable": null}}],
     "traits": [{"name": "SQLite"}, {"name": "Everything"}],
     "targets": [
      {"name": "App", "type": "regular", "settings": [], "path": "Sources/App", "dependencies": [
       {"byName": ["Seam", null]}, {"target": ["COpenSSL", {"platformNames": ["linux"]}]},
       {"product": ["GRDB", "GRDB.swift", null, {"platformNames": [], "traits": ["Everything", "SQLite"]}]}]},
      {"name": "Seam", "type": "regular", "path": "Sources/Seam", "dependencies": [], "settings": [
       {"kind": {"linkedLibrary": {"_0": "ssl"}}, "tool": "linker"}]},
      {"name": "COpenSSL", "type": "system", "path": "Sources/COpenSSL", "dependencies": [], "settings": []}]}
    """
  private static let sources = [
    "Sources/App": [SourceText(path: "A.swift", text: "#if SQLite\nimport Foundation\n#endif\n")],
    "Sources/COpenSSL": [SourceText(path: "module.modulemap", text: "module C {\n  link \"crypto\"\n}\n")],
  ]

  @Test(
    "What a product needs depends on traits and platforms",
    arguments: [
      (nil, "linux", [.libcurl, .openSSL], nil), (nil, "macos", [.libcurl], nil),
      ("SQLite", "linux", [.libcurl, .openSSL, .sqlite], .whole),
    ] as [(String?, String, Set<SystemLibrary>, FoundationPart?)])
  func needs(trait: String?, platform: String, libraries: Set<SystemLibrary>, foundation: FoundationPart?)
    throws
  {
    let graph = try PackageGraph(manifest: Array(Self.manifest.utf8)) { Self.sources[$0] ?? [] }
    #expect(graph.products == ["App", "Both"] && graph.traits == ["SQLite"])
    let needs = graph.needs(of: "App", trait: trait, on: platform)
    #expect(needs == PackageGraph.Needs(libraries: libraries, foundation: foundation))
    #expect(graph.needs(of: "Both").libraries == [.libcurl, .openSSL])
  }

  @Test(
    "The largest part of Foundation that a file imports on Linux is found",
    arguments: [
      ("import Foundation\n", .whole), ("public import FoundationEssentials\nimport Dispatch\n", .essentials),
      ("@preconcurrency internal import FoundationNetworking\nimport Foundation\n", .networking),
      (
        "#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#else\nimport Foundation\n#endif\n",
        .essentials
      ),
      ("// import Foundation\nimport HTTPTypes\n", nil), ("import FoundationXML\n", .whole),
    ] as [(String, FoundationPart?)])
  func imports(text: String, part: FoundationPart?) {
    #expect(SourceText(path: "A.swift", text: text).importedFoundation == part)
  }

  @Test(
    "A name of Linux counts where no branch for Apple's platforms stands beside it",
    arguments: [
      ("import Glibc\n", ["1 Glibc"]), ("#if canImport(Darwin)\n#else\nimport Glibc\n#endif\n", []),
      ("#if os(Linux)\nepoll_wait()\n#endif\n", ["1 os(Linux)", "2 epoll"]),
      ("#ifdef __APPLE__\n#else\n#if __linux__\n#endif\n#endif\nopen(\"/proc/self\")\n", ["6 /proc"]),
    ])
  func linux(text: String, names: [String]) {
    #expect(SourceText(path: "a.c", text: text).namesOfLinux.map { "\($0.line) \($0.name)" } == names)
  }

  @Test("Parts of a document are replaced, and only parts that are known")
  func page() throws {
    let page = RequirementsPage(
      graph: try PackageGraph(manifest: Array(Self.manifest.utf8)) { Self.sources[$0] ?? [] })
    let written = try page.written(
      "a\n<!-- requirements: install App -->\nold\n<!-- end of requirements -->\nb\n")
    #expect(written.contains("$ sudo apt-get install pkg-config libcurl4-openssl-dev libssl-dev\n"))
    #expect(!written.contains("old") && written.hasPrefix("a\n") && written.hasSuffix("\nb\n"))
    #expect(throws: RequirementsPage.UnknownPart.self) { try page.written("<!-- requirements: rest -->\n") }
  }
}
