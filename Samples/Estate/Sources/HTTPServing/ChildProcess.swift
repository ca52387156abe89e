package import Foundation

/// A program that this one has started.
package final class ChildProcess: Sendable {
  /// What a program has left.
  package struct Outcome: Sendable {
    /// The exit status; negative for a signal.
    package let status: Int32
    package let output: String
    package let errors: String
  }

  /// The lines of its standard output; they end with the process.
  package let lines: AsyncStream<String>
  package let id: Int32
  private let errors: AsyncStream<String>?
  private let input: Pipe?
  private let status: Task<Int32, Never>

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - hasInput: Whether its standard input stays open until ``closeInput()``.
  ///   - readsErrors: Whether its error output is read, instead of joining that of this program.
  package init(
    _ program: URL, _ arguments: [String], hasInput: Bool = false, readsErrors: Bool = false
  ) throws {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    input = hasInput ? Pipe() : nil
    if let input { process.standardInput = input } else { process.standardInput = FileHandle.nullDevice }
    let output = Pipe()
    process.standardOutput = output
    let errorOutput = readsErrors ? Pipe() : nil
    if let errorOutput { process.standardError = errorOutput }
    let (ends, end) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { process in
      end.yield(process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
      end.finish()
    }
    try process.run()
    (lines, id) = (output.fileHandleForReading.lines(), process.processIdentifier)
    errors = errorOutput?.fileHandleForReading.lines()
    status = Task {
      for await status in ends { return status }
      return -1
    }
  }

  /// The program of a name in the folder of this one.
  package static func builtProgram(_ name: String) -> URL {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
  }

  package func closeInput() { try? input?.fileHandleForWriting.close() }

  package func send(_ signal: Int32) { kill(id, signal) }

  /// Waits until it has ended, and returns its status; negative for a signal.
  @discardableResult package func ended() async -> Int32 { await status.value }

  /// Runs a program until it ends.
  ///
  /// - Parameter signal: Sent after its first line.
  package static func outcome(
    of program: URL, _ arguments: [String], signal: Int32? = nil
  ) async throws -> Outcome {
    let process = try ChildProcess(program, arguments, readsErrors: true)
    var output: [String] = []
    for await line in process.lines {
      if let signal, output.isEmpty { process.send(signal) }
      output.append(line)
    }
    var errors: [String] = []
    if let lines = process.errors { for await line in lines { errors.append(line) } }
    return Outcome(
      status: await process.ended(), output: output.joined(separator: "\n"),
      errors: errors.joined(separator: "\n"))
  }
}
