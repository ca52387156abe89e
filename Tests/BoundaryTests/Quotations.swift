import Foundation

/// Blocks of documents that stand, line by line, in a test of this package, which compiles and runs them.
enum Quotations {
  /// The sources of the tests of a module.
  static func sources(ofTestsOf module: String) throws -> [String] {
    let root = Checkout.folder.appending(path: "Tests/\(module)Tests")
    let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    return try (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// Returns whether code contains the lines of a block next to each other, whatever their indentation.
  static func lines(of code: String, contain block: String) -> Bool {
    let (all, wanted) = (trimmed(code), trimmed(block))
    guard !wanted.isEmpty, all.count >= wanted.count else { return false }
    return (0...(all.count - wanted.count)).contains { all[$0...].starts(with: wanted) }
  }

  private static func trimmed(_ text: String) -> [Substring] {
    text.split(separator: "\n").map { line in
      let rest = line.drop { $0 == " " }
      return rest.dropLast(rest.reversed().prefix { $0 == " " }.count)
    }.filter { !$0.isEmpty }
  }
}
