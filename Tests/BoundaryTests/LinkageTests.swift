import CommandRunning
import Foundation
import Testing

/// The libraries that a program loads for a product, by the modules of the build that runs the tests.
@Suite(.timeLimit(.minutes(10))) struct LinkageTests {
  /// The trait with which the package was compiled.
  private static let trait = "SQLite"
  /// The modules of another package's product that has another name than they have.
  private static let modules = [
    "Metrics": ["CoreMetrics"], "Tracing": ["Instrumentation", "ServiceContextModule"],
  ]

  @Test("L4: Every product loads the libraries that the table of requirements has for it, and no others")
  func products() async throws {
    let graph = try await PackageGraph.ofCheckout()
    let place = try TemporaryFolder(prefix: "linkage")
    for product in graph.products {
      let targets = graph.targets(of: product, trait: Self.trait).sorted()
      let objects = try targets.flatMap { [$0] + (Self.modules[$0] ?? []) }.flatMap(Self.objects)
      try #require(!objects.isEmpty, "\(product) was not compiled")
      let linked = graph.needs(of: product, trait: Self.trait)
      var loaded = try await Self.needs(of: objects, in: place.url.appending(path: "lib\(product).so"))
      // libcurl itself loads others, depending on how it was built, and FoundationNetworking loads libcurl.
      if linked.libraries.contains(.libcurl) || linked.foundation == .networking {
        loaded.libraries.formIntersection(linked.libraries)
      }
      #expect(loaded == linked, "\(product)")
    }
  }

  @Test("A module that imports Foundation is noticed")
  func control() async throws {
    let place = try TemporaryFolder(prefix: "linkage")
    try place.url.write("import Foundation\nlet now = Date()\n", to: "Control.swift")
    let source = place.url.appending(path: "Control.swift").path
    let loaded = try await Self.needs(of: [source], in: place.url.appending(path: "libControl.so"))
    #expect(loaded == PackageGraph.Needs(foundation: .whole))
  }

  /// The object files of a target; none of one that only names a library of the system.
  private static func objects(of target: String) throws -> [String] {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "\(target).build")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    // A module's own object file repeats what the others have for a debugger.
    return (files?.compactMap { $0 as? URL } ?? []).filter {
      $0.pathExtension == "o" && !$0.lastPathComponent.hasSuffix(".swiftmodule.o")
    }.map(\.path)
  }

  /// Links files as the linker does for a program, and returns what loading the result needs.
  private static func needs(of files: [String], in library: URL) async throws -> PackageGraph.Needs {
    // Other packages' modules that bring no library are not passed.
    let options = ["-emit-library", "-o", library.path, "-Xlinker", "--unresolved-symbols=ignore-all"]
    let link = try await Command(words: ["swiftc"] + options + files).run()
    try #require(link.status == 0, "\(link)")
    let listing = try await Command("ldd", library.path).run()
    try #require(listing.status == 0, "\(listing)")
    let libraries = LinkedLibraries(ldd: listing.output)
    try #require(libraries.names.contains("libswiftCore.so") && libraries.missing.isEmpty, "\(listing)")
    return libraries.needs
  }
}
