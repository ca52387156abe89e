import Foundation

/// A source file or a module map, and what it says about libraries and platforms.
struct SourceText: Sendable {
  /// The path, relative to the package.
  let path: String
  private let bytes: Data

  init(path: String, bytes: Data) {
    self.path = path
    self.bytes = bytes
  }

  init(path: String, text: String) { self.init(path: path, bytes: Data(text.utf8)) }

  private var lines: [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Searches the bytes, because most files have none of the texts and splitting all of them takes long.
  private func contains(_ text: String) -> Bool { bytes.range(of: Data(text.utf8)) != nil }

  /// Reads the sources, headers and module maps of a folder of the checkout.
  static func all(in folder: String) throws -> [SourceText] {
    let root = Checkout.folder.appending(path: folder)
    var found: [SourceText] = []
    for case let file as URL in FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
      ?? .init()
    where ["swift", "c", "h", "modulemap"].contains(file.pathExtension) {
      let path = String(file.path.dropFirst(Checkout.folder.path.count + 1))
      found.append(SourceText(path: path, bytes: try Data(contentsOf: file)))
    }
    return found.sorted { $0.path < $1.path }
  }

  /// The libraries that a module map asks the linker for.
  var linkedLibraries: [String] {
    guard path.hasSuffix(".modulemap") else { return [] }
    return lines.compactMap { line in
      let words = line.split { $0 == " " || $0 == "\"" }
      return words.first == "link" ? words.last.map(String.init) : nil
    }
  }

  /// The condition of the first line, which is that of the whole file.
  var firstCondition: String? {
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return line.hasPrefix("#if ") ? String(line.dropFirst(4)) : nil
  }

  /// The largest part of Foundation that a Swift file imports on Linux.
  var importedFoundation: FoundationPart? {
    guard path.hasSuffix(".swift"), contains("import Foundation") else { return nil }
    var parts: [FoundationPart] = []
    // Another part is imported where this one does not exist.
    var hasEssentials = false
    var isElse = false
    for line in lines {
      if line.hasPrefix("#if canImport(FoundationEssentials)") { hasEssentials = true }
      if line.hasPrefix("#else") { isElse = hasEssentials }
      if line.hasPrefix("#endif") { (hasEssentials, isElse) = (false, false) }
      let words = line.split(separator: " ")
      guard !isElse, !line.hasPrefix("/"), let index = words.firstIndex(of: "import"), index <= 3,
        index + 1 < words.count, words[index + 1].hasPrefix("Foundation")
      else { continue }
      parts.append(FoundationPart(rawValue: String(words[index + 1])) ?? .whole)
    }
    return parts.max()
  }

  /// Names of Linux, and what they look like in a source.
  private static let linuxNames = [
    "Glibc": ["import Glibc", "Glibc.", "canImport(Glibc)"], "epoll": ["epoll"], "eventfd": ["eventfd"],
    "netlink": ["netlink", "NETLINK"], "/proc": ["/proc/"], "os(Linux)": ["os(Linux)", "__linux__"],
    "inotify": ["inotify_"], "timerfd": ["timerfd_"],
  ]

  /// The names of Linux where there is no branch for Apple's platforms, with the numbers of their lines.
  var namesOfLinux: [(line: Int, name: String)] {
    guard Self.linuxNames.values.joined().contains(where: contains) else { return [] }
    var found: [(line: Int, name: String)] = []
    // For each open `#if`, whether it has such a branch.
    var branches: [Bool] = []
    for (index, line) in lines.enumerated() {
      let directive = line.drop { $0 == " " }.replacing("# ", with: "#")
      let isForApple = line.contains("canImport(Darwin)") || line.contains("__APPLE__")
      if directive.hasPrefix("#if") { branches.append(isForApple) }
      if !branches.contains(true) {
        for (name, texts) in Self.linuxNames where texts.contains(where: line.contains) {
          found.append((index + 1, name))
        }
      }
      if directive.hasPrefix("#endif") { _ = branches.popLast() }
    }
    return found
  }
}
