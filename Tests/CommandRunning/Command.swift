public import Foundation

/// A program that a test runs without blocking a thread of Swift's pool.
public struct Command: Sendable {
  /// The exit status and output of a program.
  public struct Outcome: Sendable, CustomStringConvertible {
    /// The exit status, or the number of the signal that ended the program.
    public var status: Int32
    /// Standard output, with standard error in the order of writing unless ``Command/mergesErrors`` is false.
    public var bytes: [UInt8]

    /// The bytes as text.
    public var output: String { String(decoding: bytes, as: UTF8.self) }
    /// The lines of the text, without empty ones.
    public var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }
    /// The status and the text.
    public var description: String { "exit \(status)\n\(output)" }
  }

  /// The program, which is looked up in PATH, and its arguments.
  public var words: [String]
  /// The bytes of standard input.
  public var input: [UInt8] = []
  /// The environment; nil inherits that of the test process.
  public var environment: [String: String]?
  /// The working directory; nil inherits that of the test process.
  public var folder: URL?
  /// Whether ``Outcome/bytes`` include standard error; otherwise it is discarded.
  public var mergesErrors = true

  /// Creates a command from a program and its arguments.
  public init(_ words: String...) { self.words = words }

  /// Creates a command from a program and its arguments.
  public init(words: [String]) { self.words = words }

  /// Runs the program and returns after it has exited.
  ///
  /// Cancelling the task, as a test's time limit does, terminates the program.
  public func run() async throws -> Outcome {
    // Files instead of pipes: reading a pipe blocks a thread, and a full one blocks the program.
    let files = try TemporaryFolder(prefix: "command")
    let (inputFile, outputFile) = (files.url.appending(path: "input"), files.url.appending(path: "output"))
    try Data(input).write(to: inputFile)
    try Data().write(to: outputFile)
    let reading = try FileHandle(forReadingFrom: inputFile)
    let writing = try FileHandle(forWritingTo: outputFile)
    defer {
      try? reading.close()
      try? writing.close()
    }

    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    if let environment { process.environment = environment }
    if let folder { process.currentDirectoryURL = folder }
    process.standardInput = reading
    process.standardOutput = writing
    process.standardError = mergesErrors ? writing : FileHandle.nullDevice
    let (ended, end) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { process in
      end.yield(process.terminationStatus)
      end.finish()
    }
    try process.run()
    let status = await withTaskCancellationHandler {
      await Task { await ended.first { _ in true } }.value
    } onCancel: {
      process.terminate()
    }
    try Task.checkCancellation()
    return Outcome(status: status ?? -1, bytes: try [UInt8](Data(contentsOf: outputFile)))
  }
}
