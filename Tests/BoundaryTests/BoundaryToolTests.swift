import CommandRunning
import Foundation
import Testing

/// The command-line tool that the plugin calls.
@Suite(.timeLimit(.minutes(5))) struct BoundaryToolTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(prefix: "boundary-tool") }

  private var stamp: URL { folder.url.appending(path: "Listings.boundary.swift") }

  /// The tool is built next to the program that runs the tests.
  private func run(_ arguments: String...) async throws -> Command.Outcome { try await run(arguments) }

  private func run(_ arguments: [String]) async throws -> Command.Outcome {
    let tests = URL(filePath: CommandLine.arguments[0])
    let tool = tests.deletingLastPathComponent().appending(path: "module-boundary-tool")
    try #require(FileManager.default.isExecutableFile(atPath: tool.path), "\(tool.path) is not built")
    return try await Command(words: [tool.path] + arguments).run()
  }

  private func source(_ text: String, _ name: String) throws -> String {
    try folder.url.write(text, to: name)
    return folder.url.appending(path: name).path
  }

  @Test("Clean files give a stamp that is Swift source")
  func stampOfCleanFiles() async throws {
    let file = try source("import MortgageRoutes\n", "A.swift")
    let outcome = try await run(
      "--module", "Listings", "--stamp", stamp.path, "--forbid", "Mortgage=MortgageRoutes", "--", file)
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
    #expect(try String(contentsOf: stamp, encoding: .utf8).hasPrefix("// Listings imports no other"))
  }

  @Test("An up-to-date stamp is left unchanged, and any other is replaced")
  func existingStamp() async throws {
    let file = try source("import MortgageRoutes\n", "A.swift")
    func number() throws -> Int? {
      let attributes = try FileManager.default.attributesOfItem(atPath: stamp.path)
      return attributes[.systemFileNumber] as? Int
    }
    try folder.url.write("// An older one.\n", to: stamp.lastPathComponent)
    let old = try #require(try number())
    for _ in 1...2 { _ = try await run("--module", "Listings", "--stamp", stamp.path, file) }
    let first = try #require(try number())
    #expect(first != old)
    #expect(try String(contentsOf: stamp, encoding: .utf8).hasPrefix("// Listings imports no other"))
    let again = try await run("--module", "Listings", "--stamp", stamp.path, file)
    #expect(again.status == 0, "\(again)")
    // Every write creates a new file and renames it.
    #expect(try number() == first)
  }

  @Test("Every violation in every file is printed, and no stamp is written")
  func violations() async throws {
    let first = try source("import Help\n\n import Mortgage\n", "A.swift")
    let second = try source("@testable import Help\n", "B.swift")
    let outcome = try await run(
      "--module", "Listings", "--stamp", stamp.path, "--forbid", "Mortgage=MortgageRoutes",
      "--forbid", "Help", first, second)
    #expect(outcome.status == 1, "\(outcome)")
    #expect(
      outcome.lines.map { $0.prefix { $0 != ";" } } == [
        "\(first):1:8: error: module 'Listings' may not import module 'Help'",
        "\(first):3:9: error: module 'Listings' may not import module 'Mortgage'",
        "\(second):1:18: error: module 'Listings' may not import module 'Help'",
      ])
    #expect(!FileManager.default.fileExists(atPath: stamp.path))
  }

  @Test("An unreadable file is named, and the other files are still checked")
  func unreadableFile() async throws {
    let missing = folder.url.appending(path: "Missing.swift").path
    let bad = try source("import Help\n", "B.swift")
    let outcome = try await run(
      "--module", "Listings", "--stamp", stamp.path, "--forbid", "Help", missing, folder.url.path, bad)
    #expect(outcome.status == 66, "\(outcome)")
    #expect(
      outcome.lines.contains("\(missing): error: can't open it: No such file or directory"), "\(outcome)")
    #expect(outcome.lines.contains("\(folder.url.path): error: it is not a regular file"), "\(outcome)")
    #expect(outcome.output.contains("\(bad):1:8: error: "))
    #expect(!FileManager.default.fileExists(atPath: stamp.path))
  }

  @Test("A stamp that can't be written is named")
  func unwritableStamp() async throws {
    let file = try source("", "A.swift")
    let stamp = folder.url.appending(path: "no/such/folder/stamp.swift").path
    let outcome = try await run("--module", "Listings", "--stamp", stamp, file)
    #expect(outcome.status == 73, "\(outcome)")
    #expect(outcome.output.contains("\(stamp).new: error: can't create it: No such file"), "\(outcome)")
  }

  @Test(
    "An invalid command line exits with 64 and says what is wrong",
    arguments: [
      ([], "--module is missing"),
      (["--module", "A", "x.swift"], "--stamp is missing"),
      (["--module", "A", "--stamp", "s"], "no source file is given"),
      (["--module"], "--module needs a value"),
      (["--module", ""], "--module needs a value"),
      (["--module", "A", "--forbid", "=B"], "expected NAME or NAME=CONTRACT"),
      (["--module", "A", "--forbid", "B="], "expected NAME or NAME=CONTRACT"),
      (["--frobnicate"], "unknown option --frobnicate"),
    ] as [([String], String)])
  func usage(arguments: [String], complaint: String) async throws {
    let outcome = try await run(arguments)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.output.contains(complaint), "\(outcome)")
    #expect(outcome.output.contains("usage: module-boundary-tool --module NAME"))
  }

  @Test("Help is printed on standard output with exit status 0")
  func help() async throws {
    let outcome = try await run("--help")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("Exit codes: 0 clean, 1 a forbidden import, 64 wrong usage"))
  }
}
