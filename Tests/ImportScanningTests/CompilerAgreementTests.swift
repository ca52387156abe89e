import CommandRunning
import Foundation
import ImportScanning
import Testing

/// Compares the scanner with the list of imports that the compiler emits.
@Suite struct CompilerAgreementTests {
  /// The folder of the package, derived from the path of this file.
  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test(
    "The scanner finds every import that the compiler sees in the package's own sources",
    .timeLimit(.minutes(5)))
  func agreement() async throws {
    var (plain, other): ([URL], [URL]) = ([], [])
    for file in ["Sources", "Plugins", "Tests"].flatMap({ Self.swiftFiles(under: $0) }) {
      // Top-level code is an error in all but one file of a compiler run.
      let isPlain =
        try file.lastPathComponent != "main.swift"
        && Self.hasPlainImports(String(contentsOf: file, encoding: .utf8))
      if isPlain { plain.append(file) } else { other.append(file) }
    }
    try #require(plain.count > 10 && other.count > 10)
    // A single compiler run for all plain files; one run per file would dominate the test time.
    let together = try #require(try await Self.compilerImports(of: [plain]).first)
    #expect(together.count > 20, "the compiler reported too few imports for a comparison")
    let scanned: Set<String> = try plain.reduce(into: []) { try $0.formUnion(Self.scannedImports(of: $1)) }
    let missed = together.subtracting(scanned)
    #expect(missed.isEmpty, "the compiler also reports \(missed.sorted())")
    for (file, compiler) in zip(other, try await Self.compilerImports(of: other.map { [$0] })) {
      let missed = compiler.subtracting(try Self.scannedImports(of: file))
      #expect(missed.isEmpty, "\(file.path): the compiler also reports \(missed.sorted())")
    }
  }

  /// Whether every occurrence of the word in a file is in a line that is only an import declaration.
  private static func hasPlainImports(_ text: String) -> Bool {
    let declarations = text.split(separator: "\n").count { line in
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count >= 2, words[words.count - 2] == "import" else { return false }
      let isPlain = words.dropLast(2).allSatisfy { modifiers.contains($0) }
      return isPlain && words.last?.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } == true
    }
    return text.ranges(of: "import").count == declarations
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "private", "fileprivate", "@testable",
  ]

  private static func scannedImports(of file: URL) throws -> Set<String> {
    Set(ImportScanner.imports(in: try Data(contentsOf: file)).map(\.module))
  }

  @Test("The compiler and the scanner agree on a file with every special case", .timeLimit(.minutes(5)))
  func traps() async throws {
    let source = #"""
      #!/usr/bin/env swift
      /* /* import A */ */ import Foundation; @preconcurrency internal import struct `Dispatch`.DispatchTime
      // import B
      let a = "import C \("import D")", b = #"\("#, c = /import E "/, d = #/ /* import F /#
      let e = """
        import G
        """
      import
        Glibc
      """#
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let scanned = ImportScanner.imports(in: source.utf8).map(\.module)
    #expect(scanned == ["Foundation", "Dispatch", "Glibc"])
    #expect(try await Self.compilerImports(of: [[file]]) == [Set(scanned)])
  }

  private static func swiftFiles(under folder: String) -> [URL] {
    let found = FileManager.default.enumerator(
      at: package.appending(path: folder), includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .sorted { $0.path < $1.path }
  }

  /// Returns the modules that each group of files imports according to the compiler, in the order of the
  /// groups.
  private static func compilerImports(of groups: [[URL]]) async throws -> [Set<String>] {
    var imports: [Set<String>] = []
    for group in groups {
      var command = Command(
        words: [
          "swiftc", "-frontend", "-emit-imported-modules", "-module-name", "Scanned", "-swift-version", "6",
          "-o", "-",
        ] + group.map(\.path))
      command.mergesErrors = false
      let outcome = try await command.run()
      try #require(outcome.status == 0, "\(outcome)")
      imports.append(Set(outcome.lines))
    }
    return imports
  }
}
