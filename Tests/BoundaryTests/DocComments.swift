import Foundation

/// The doc comments whose code is compiled.
enum DocComments {
  /// The Swift blocks of a file's doc comments.
  struct File {
    /// The path within the checkout.
    let path: String
    let blocks: [Documents.Block]
  }

  /// The files of Sources and Plugins with Swift blocks in doc comments, sorted by their paths.
  static func files() throws -> [File] {
    var files: [File] = []
    for folder in ["Sources", "Plugins"] {
      let root = Checkout.folder.appending(path: folder)
      let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
      for case let file as URL in found ?? .init() where file.pathExtension == "swift" {
        let blocks = blocks(of: try String(contentsOf: file, encoding: .utf8))
        guard !blocks.isEmpty else { continue }
        files.append(File(path: String(file.path.dropFirst(Checkout.folder.path.count + 1)), blocks: blocks))
      }
    }
    return files.sorted { $0.path < $1.path }
  }

  /// Returns the Swift blocks in the doc comments of a source.
  static func blocks(of source: String) -> [Documents.Block] {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("///") else { return "" }
      return String(text.dropFirst(text.hasPrefix("/// ") ? 4 : 3))
    }
    return Documents.blocks(of: lines.joined(separator: "\n")).filter { $0.language == "swift" }
  }

  /// Returns the code that the landing page of a module gives to the blocks of its doc comments.
  static func given(to module: String, at path: String) throws -> String {
    let parts = path.split(separator: "/")
    guard let end = parts.firstIndex(of: Substring(module)) else { return "" }
    let folder = parts[...end].joined(separator: "/")
    let page = Checkout.folder.appending(path: "\(folder)/\(module).docc/\(module).md")
    guard let text = try? String(contentsOf: page, encoding: .utf8) else { return "" }
    return Documents.codeGivenToComments(in: text)
  }
}
