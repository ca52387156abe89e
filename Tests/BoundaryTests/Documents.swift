import Foundation

/// The documents whose code is compiled, and what a test reads of them.
enum Documents {
  /// A fenced block of a document.
  struct Block: Equatable {
    /// The word after the fence, such as `swift`.
    var language: String
    /// The lines between the fences, each with its line break.
    var text: String
    /// The line of the document on which the block begins, counted from 1.
    var line: Int
    /// The last paragraph before the block, which names the file that the block belongs to in a tutorial.
    var heading: String
    /// The code in the comment `<!-- given … -->` before the block, which the document does not show.
    var given: String

    /// Whether the block is a manifest of a package.
    var isManifest: Bool { text.hasPrefix("// swift-tools-version") }
    /// Whether the block belongs to a target for tests.
    var isTest: Bool { text.contains("import Testing\n") }
  }

  /// The paths of all documents of the checkout, except for the tutorial, which is followed as a whole.
  static func paths() throws -> [String] {
    var paths = ["README.md"]
    for folder in ["Sources", "Plugins"] {
      let root = Checkout.folder.appending(path: folder)
      let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
      for case let file as URL in found ?? .init() where file.pathExtension == "md" {
        paths.append(String(file.path.dropFirst(Checkout.folder.path.count + 1)))
      }
    }
    return paths.filter { !$0.hasSuffix("/\(tutorial)") }.sorted()
  }

  /// The modules that a package without traits does not have.
  ///
  /// Their blocks are quoted from tests.
  static let behindTraits: Set<String> = [
    "ActivityReporting", "LocalStores", "LoopbackTesting", "OfflineMutations", "SQLiteStores",
  ]

  /// Returns the name of the module that a document belongs to; an empty string for README.md.
  static func module(of path: String) -> String {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.count > 3 else { return parts.count == 3 ? parts[1] : "" }
    return ["Switchyard", "Cryptography"].contains(parts[1]) ? parts[1] : parts[2]
  }

  /// The name of the tutorial's file.
  static let tutorial = "FirstApp.md"

  /// Returns the code in the comment `<!-- given to doc comments … -->` of a landing page.
  static func codeGivenToComments(in text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(of: "<!-- given to doc comments") else { return "" }
    return lines[(start + 1)...].prefix { $0 != "-->" }.joined(separator: "\n")
  }

  /// Returns the blocks of a document, in order.
  static func blocks(of text: String) -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    var heading = ""
    var given: String?
    var pending = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if var block = open {
        if line == "```" {
          blocks.append(block)
          open = nil
        } else {
          block.text += line + "\n"
          open = block
        }
      } else if let code = given {
        given = line == "-->" ? nil : code + line + "\n"
        if line == "-->" { pending = code }
      } else if line == "<!-- given" {
        given = ""
      } else if line.hasPrefix("```") {
        open = Block(
          language: String(line.dropFirst(3)), text: "", line: index + 2, heading: heading, given: pending)
        pending = ""
      } else if !line.isEmpty {
        heading = String(line)
      }
    }
    return blocks
  }
}
