import CommandRunning
import Foundation
import Testing

/// Follows a tutorial: writes each listing to the file that its heading names, and runs each command.
///
/// A heading is the file's path in backquotes. With "one line" after it, the listing is a line that replaces
/// the one with the same beginning, up to the equals sign. In a console block, the lines below a command must
/// be in its output.
final class TutorialReader {
  /// The number of listings that were written.
  private(set) var writtenFiles = 0
  /// The number of commands that were run.
  private(set) var runCommands = 0

  private let temporary: TemporaryFolder
  private let scratch: ScratchFolder

  init(scratch: ScratchFolder) throws {
    self.scratch = scratch
    temporary = try TemporaryFolder(prefix: "tutorial")
  }

  private var folder: URL { temporary.url.appending(path: "Shop") }

  /// Does what a block says.
  func follow(_ block: Documents.Block, of document: String) async throws {
    let place = "\(document):\(block.line)"
    switch block.language {
    case "swift": try write(block, place)
    case "console": try await run(block, place)
    default: Issue.record("\(place): a reader cannot follow a block of \(block.language)")
    }
  }

  private func write(_ block: Documents.Block, _ place: String) throws {
    let match = try #require(
      block.heading.wholeMatch(of: /`([A-Za-z\/.]+)`(, one line)?/), "\(place): no heading names the file")
    let path = String(match.1)
    let text = block.text.replacing("\"../Switchyard\"", with: "\"\(Checkout.folder.path)\"")
    writtenFiles += 1
    guard match.2 != nil else { return try folder.write(text, to: path) }
    let beginning = try #require(text.split(separator: "=").first, "\(place): the line has no equals sign")
    var lines = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let places = lines.indices.filter { lines[$0].hasPrefix(beginning) }
    try #require(places.count == 1, "\(place): \(places.count) lines of \(path) begin with \"\(beginning)\"")
    lines[places[0]] = text.trimmingCharacters(in: .newlines)
    try folder.write(lines.joined(separator: "\n"), to: path)
  }

  private func run(_ block: Documents.Block, _ place: String) async throws {
    var output = ""
    for line in block.text.split(separator: "\n") {
      guard line.hasPrefix("$ ") else {
        #expect(output.contains(line), "\(place): the output lacks \"\(line)\": \(output)")
        continue
      }
      let words = line.dropFirst(2).split(separator: " ").map(String.init)
      try #require(words.count >= 2 && words[0] == "swift", "\(place): only swift is run, not \"\(line)\"")
      let outcome = try await scratch.swift(words[1], package: folder, Array(words.dropFirst(2)))
      try #require(outcome.status == 0, "\(place): \(line): \(outcome)")
      output = outcome.output
      runCommands += 1
    }
  }
}
