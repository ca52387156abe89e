import APIGeneration
import Foundation

/// A small document, each of which shows one group of features, and what was generated from it.
enum CorpusDocument: String, CaseIterable, Sendable {
  case shop = "Shop"
  case forms = "Forms"
  case unions = "Unions"
  case families = "Families"
  case names = "Names"

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  /// The document.
  func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Self.folder.appending(path: "Documents/\(rawValue).yaml")))
  }

  func text() throws -> String { String(decoding: try bytes(), as: UTF8.self) }

  /// The generated file, which is a part of these tests.
  func generated(_ suffix: String = "") throws -> String {
    let url = Self.folder.appending(path: "Generated/\(rawValue)\(suffix).swift")
    return String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }

  /// The generator with the options by which the file was made.
  var generator: APIGenerator {
    var generator = APIGenerator()
    generator.isPublic = self == .shop || self == .forms
    return generator
  }
}

extension APIGenerator {
  /// Returns what a document in YAML yields.
  func output(of text: String) throws -> Output { try output(for: Array(text.utf8)) }

  /// A document with some paths and schemas, each indented as in a whole document.
  static func document(paths: String = "", schemas: String = "") -> String {
    """
    openapi: 3.1.0
    info: {title: Test}
    servers: [{url: https://test.example.com}]
    paths:
    \(paths)
    components:
      schemas:
    \(schemas)
    """
  }
}
