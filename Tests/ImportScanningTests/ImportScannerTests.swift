import ImportScanning
import Testing

@Suite struct ImportScannerTests {
  private func modules(_ source: String) -> [String] { ImportScanner.imports(in: source.utf8).map(\.module) }

  @Test(
    "Every form of import reports its module",
    arguments: [
      ("import Catalog", ["Catalog"]),
      ("import struct Catalog.Item", ["Catalog"]),
      ("import typealias Catalog.ID", ["Catalog"]),
      ("import func Catalog.open", ["Catalog"]),
      ("@testable import Catalog", ["Catalog"]),
      ("@_exported import Catalog", ["Catalog"]),
      ("@_spi(Testing) private import Catalog.Sub", ["Catalog"]),
      ("public import Catalog", ["Catalog"]),
      ("internal import class Catalog.Shelf", ["Catalog"]),
      ("@preconcurrency\npackage import Catalog", ["Catalog"]),
      ("import\n  Catalog", ["Catalog"]),
      ("import /* why */ Catalog", ["Catalog"]),
      ("import // why\nCatalog", ["Catalog"]),
      ("import struct // why\n /* and */ Catalog . Item", ["Catalog"]),
      ("import A; import B", ["A", "B"]),
      ("import A\nimport B\n\nimport C.D", ["A", "B", "C"]),
      ("import A\rimport B\r\nimport C", ["A", "B", "C"]),
      ("import `Catalog`", ["Catalog"]),
      ("import struct `Catalog`.Item", ["Catalog"]),
      ("import `protocol`", ["protocol"]),
      ("import Ünïcode", ["Ünïcode"]),
      ("import\u{A0}Catalog", ["Catalog"]),
      ("\u{FEFF}import Catalog", ["Catalog"]),
      ("#!/usr/bin/env swift\nimport Catalog", ["Catalog"]),
      ("struct A {};import Catalog", ["Catalog"]),
    ])
  func names(source: String, expected: [String]) { #expect(modules(source) == expected) }

  @Test(
    "Imports in inactive branches are reported, and conditions are not",
    arguments: [
      ("#if canImport(Catalog)\nimport Catalog\n#endif", ["Catalog"]),
      ("#if canImport(Catalog)\nlet a = 1\n#endif", []),
      ("#if false\nimport A\n#elseif os(Windows)\nimport B\n#else\nimport C\n#endif", ["A", "B", "C"]),
    ])
  func conditions(source: String, expected: [String]) { #expect(modules(source) == expected) }

  @Test(
    "The contents of comments and strings are ignored, and the code after them is not",
    arguments: [
      ("// import Catalog", []),
      ("/* /* import A */ import B */ import C", ["C"]),
      ("/* // */ import A", ["A"]),
      ("/* \" */ import A // \"\nimport B", ["A", "B"]),
      ("/* never closed\nimport A", []),
      ("let s = \"import Catalog\"", []),
      ("let s = \"\\\"\"; import A", ["A"]),
      ("let s = \"\\\\\"; import A", ["A"]),
      ("let s = \"/*\"\nimport A", ["A"]),
      ("let s = \"never closed\nimport A", ["A"]),
      ("let s = \"never closed \\\nimport A", ["A"]),
      ("let s = \"\\(f(\"import A\"))\"\nimport B", ["B"]),
      ("let s = \"\\(f(\"\\(g(\")\"))\"))\"; import B", ["B"]),
      ("let s = \"\\(f(/* ) */ 1)) import A\"\nimport B", ["B"]),
      ("let s = #\"\\(\"#\nimport B", ["B"]),
      ("let s = #\"\"\"#; import B", ["B"]),
      ("let s = ##\"a \"# import A\"##; import B", ["B"]),
      ("let s = #\"\\#(f(\"import A\"))\"#; import B", ["B"]),
      ("let s = \"\"\"\nimport A\n\"\"\"\nimport B", ["B"]),
      ("let s = \"\"\"\n  \" \"\" \\\"\"\" import A\n\"\"\"\nimport B", ["B"]),
      ("let s = \"\"\"\n  \\(f(\"\"\"\n  import A\n  \"\"\")) import B\n\"\"\"\nimport C", ["C"]),
      ("let s = #\"\"\"\n\"\"\" import A\n\"\"\"#\nimport B", ["B"]),
    ])
  func literals(source: String, expected: [String]) { #expect(modules(source) == expected) }

  @Test(
    "Regular expressions are skipped, and a slash as an operator is recognized",
    arguments: [
      ("let r = /import A/\nimport B", ["B"]),
      ("let r = /\"\"\"/\nimport B", ["B"]),
      ("let r = /a\\/*b/\nimport B", ["B"]),
      ("let r = /[(]\"/; import B", ["B"]),
      ("f(/\"/, /'/); import B", ["B"]),
      ("let r = #/\"\"\" import A/#; import B", ["B"]),
      ("let r = #/a/b\"/#; import B", ["B"]),
      ("let r = #/\n  \"\"\" # import A\n  /#\nimport B", ["B"]),
      ("let r = ##/\n  \" /# import A\n  /##\nimport B", ["B"]),
      ("let x = a / b; import B // c /", ["B"]),
      ("let x = a/b; let y = c/d; import B", ["B"]),
      ("func /(a: A, b: A) -> A { a / b }; import B", ["B"]),
      ("infix operator /-/ ; import B", ["B"]),
      ("let f = xs.reduce(1, /); import B; let c = 1 / 2", ["B"]),
      ("#/ never closed\nimport B", ["B"]),
      ("#/\nnever closed\nimport B", ["B"]),
    ])
  func regexes(source: String, expected: [String]) { #expect(modules(source) == expected) }

  @Test(
    "Code that resembles the keyword is not an import",
    arguments: [
      "x.import\nCatalog.open()", "let `import` = Catalog.open()", "func load(import Catalog: String) {}",
      "load(import: Catalog.item)", "#import Catalog", "@import Catalog",
      "imports Catalog; reimport Catalog; import2 Catalog", "import", "import ", "import 'Catalog'", "",
    ])
  func lookalikes(source: String) { #expect(modules(source).isEmpty) }

  @Test("The position of an import is that of its module, in bytes")
  func position() {
    #expect(
      ImportScanner.imports(in: "\nimport  Catalog".utf8) == [.init(module: "Catalog", line: 2, column: 9)])
    #expect(
      ImportScanner.imports(in: "/* é */ import struct\r\n\t`Catalog`.Item\rimport B".utf8)
        == [.init(module: "Catalog", line: 2, column: 2), .init(module: "B", line: 3, column: 8)])
  }

  @Test("Invalid UTF-8 is accepted")
  func invalidUTF8() {
    let source: [UInt8] = [0xFF, 0xC2, 0x0A] + Array("import A\n".utf8) + [0xC2]
    #expect(ImportScanner.imports(in: source).map(\.module) == ["A"])
  }

  @Test(
    "Long and deeply nested text is scanned after an import",
    .timeLimit(.minutes(5)),
    arguments: [
      ("#", 400_000), ("#/\n", 100_000), ("\"\\(", 100_000), ("/*", 100_000), (" /a", 100_000),
      ("\"\"\"\"", 50_000),
    ])
  func hostile(piece: String, count: Int) {
    #expect(modules("import A\n" + String(repeating: piece, count: count)).first == "A")
  }
}
