import Foundation
import SwitchyardTesting

/// A program that a test started, without blocking a thread of Swift's pool.
final class RunningProgram: Sendable {
  /// How a program ended.
  struct Outcome: Sendable, CustomStringConvertible {
    let status: Int32
    let bytes: [UInt8]
    let errors: String

    var output: String { String(decoding: bytes, as: UTF8.self) }
    var description: String { "exit \(status)\n\(output)\n\(errors)" }
  }

  private let process: Process
  private let files: ScratchFolder
  private let ended: AsyncStream<Int32>

  /// The program `switchyard`, which is built beside the tests.
  static let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "switchyard").path

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: The path of the program, and its arguments.
  ///   - environment: Further variables of its environment; proxies of the environment are removed.
  init(
    _ words: [String], input: [UInt8] = [], environment: [String: String] = [:],
    in folder: ScratchFolder? = nil
  ) throws {
    files = try ScratchFolder()
    try Data(input).write(to: URL(filePath: files.path("input")))
    for name in ["output", "errors"] { try Data().write(to: URL(filePath: files.path(name))) }
    process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
    process.environment = inherited.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = URL(filePath: folder.path) }
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: files.path("input")))
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: files.path("output")))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: files.path("errors")))
    let (ended, end) = AsyncStream.makeStream(of: Int32.self)
    self.ended = ended
    process.terminationHandler = { process in
      end.yield(process.terminationStatus)
      end.finish()
    }
    try process.run()
  }

  /// Suspends until a condition is true or the program has ended.
  func wait(
    until state: String, fileID: String = #fileID, line: Int = #line, _ isReached: () -> Bool
  ) async throws {
    try await waitUntil(state, fileID: fileID, line: line) { !process.isRunning || isReached() }
  }

  /// What the program has written to standard error so far.
  var errorsSoFar: String { (try? files.text("errors")) ?? "" }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end of the program; if the test is cancelled, ends it.
  func outcome() async throws -> Outcome {
    let status = await withTaskCancellationHandler {
      await ended.first { _ in true }
    } onCancel: {
      process.terminate()
    }
    try Task.checkCancellation()
    return Outcome(
      status: status ?? -1, bytes: try files.bytes("output"),
      errors: String(decoding: try files.bytes("errors"), as: UTF8.self))
  }

  /// Runs `switchyard` to its exit.
  static func tool(
    _ arguments: String..., input: String = "", environment: [String: String] = [:],
    in folder: ScratchFolder? = nil
  ) async throws -> Outcome {
    try await RunningProgram(
      [tool] + arguments, input: Array(input.utf8), environment: environment, in: folder
    ).outcome()
  }

  /// Runs curl to its exit, without its own configuration.
  static func curl(_ arguments: String..., input: String = "") async throws -> Outcome {
    try await RunningProgram(["/usr/bin/curl", "-q", "-sS"] + arguments, input: Array(input.utf8)).outcome()
  }

  /// Runs `switchyard` on a terminal of its own with 80 columns; what it writes is the output.
  static func onTerminal(
    _ arguments: String..., lines: Int = 24, environment: [String: String] = [:],
    in folder: ScratchFolder? = nil
  ) async throws -> Outcome {
    try await onTerminal(arguments, lines: lines, environment: environment, in: folder)
  }

  /// Runs `switchyard` on a terminal of its own, with a list of arguments.
  static func onTerminal(
    _ arguments: [String], lines: Int = 24, environment: [String: String] = [:],
    in folder: ScratchFolder? = nil
  ) async throws -> Outcome {
    let spawn = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
    let sized = #"stty rows \#(lines) cols 80; exec "$@""#
    return try await RunningProgram(
      ["/usr/bin/python3", "-c", spawn, "/bin/sh", "-c", sized, "sh", tool] + arguments,
      environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }, in: folder
    ).outcome()
  }

  /// Runs a line of a shell, in which `$TOOL` is `switchyard`.
  static func shell(_ line: String, in folder: ScratchFolder? = nil) async throws -> Outcome {
    try await RunningProgram(["/bin/bash", "-c", line], environment: ["TOOL": tool], in: folder).outcome()
  }
}

/// A folder that is removed when it is released.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "tool-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path(name)))) }

  func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
  }

  /// The names of all files, hidden ones too.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  /// The size of a file; 0 if there is none.
  func size(_ name: String) -> Int {
    let values = try? FileManager.default.attributesOfItem(atPath: path(name))
    return values?[.size] as? Int ?? 0
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
}
