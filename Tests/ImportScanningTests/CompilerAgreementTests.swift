import Foundation
import ImportScanning
import Testing

/// Compares the scanner with what the compiler itself says a file imports.
@Suite struct CompilerAgreementTests {
  /// The package's folder, found from this file's place in it.
  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test(
    "The scanner finds every import that the compiler sees in the package's own sources",
    .timeLimit(.minutes(5)))
  func agreement() throws {
    let files = ["Sources", "Plugins", "Tests"].flatMap { Self.swiftFiles(under: $0) }
    try #require(files.count > 10)
    let seen = try Self.compilerImports(of: files)
    #expect(seen.count == files.count)
    var compared = 0
    for (file, compiler) in zip(files, seen) {
      let scanned = Set(ImportScanner.imports(in: try Data(contentsOf: file)).map(\.module))
      let missed = Set(compiler).subtracting(scanned)
      #expect(missed.isEmpty, "\(file.path): the compiler also sees \(missed.sorted())")
      compared += compiler.count
    }
    #expect(compared > 20, "the compiler named hardly any import, so nothing was compared")
  }

  @Test("The compiler and the scanner agree on a file that holds every trap", .timeLimit(.minutes(1)))
  func traps() throws {
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
    #expect(try Self.compilerImports(of: [file]).map(Set.init) == [Set(scanned)])
  }

  private static func swiftFiles(under folder: String) -> [URL] {
    let found = FileManager.default.enumerator(
      at: package.appending(path: folder), includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .sorted { $0.path < $1.path }
  }

  /// Asks the compiler for the modules that each file imports, in the order of the files.
  private static func compilerImports(of files: [URL]) throws -> [[String]] {
    let script = """
      for file; do
        swiftc -frontend -emit-imported-modules -swift-version 6 "$file" -o - || exit
        echo --
      done
      """
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script, "sh"] + files.map(\.path)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return text.components(separatedBy: "--\n").dropLast().map { $0.split(separator: "\n").map(String.init) }
  }
}
