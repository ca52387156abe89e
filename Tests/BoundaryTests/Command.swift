import Foundation

/// A program that a test runs, and what came of it.
struct Command: Sendable {
  struct Outcome: Sendable, CustomStringConvertible {
    var status: Int32
    /// Standard output and standard error in the order they were written.
    var output: String

    var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }
    var description: String { "exit \(status)\n\(output)" }
  }

  var words: [String]

  init(_ words: String...) { self.words = words }

  init(words: [String]) { self.words = words }

  /// Builds a package in a scratch folder of its own, so that no lock of the running build is touched.
  static func build(package: URL, scratch: URL, _ options: String...) -> Command {
    Command(
      words: ["swift", "build", "--package-path", package.path, "--scratch-path", scratch.path] + options)
  }

  /// Runs the program to its end; if the task is cancelled, by a time limit say, so is the program.
  func run() async throws -> Outcome {
    let folder = try TemporaryFolder()
    let log = folder.url.appending(path: "output")
    try Data().write(to: log)
    let handle = try FileHandle(forWritingTo: log)
    defer { try? handle.close() }

    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handle
    process.standardError = handle
    // Waiting without blocking: the pool's threads belong to the other tests too.
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    await withTaskCancellationHandler {
      for await _ in ended {}
    } onCancel: {
      process.terminate()
    }
    process.waitUntilExit()
    let output = String(decoding: try Data(contentsOf: log), as: UTF8.self)
    return Outcome(status: process.terminationStatus, output: output)
  }
}
