import Foundation

/// Runs programs that are built beside these tests, and scripts.
enum RunningProgram {
  /// The folder of the programs.
  static let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

  /// Runs a program without input, and returns its exit code once it has ended.
  ///
  /// - Parameter output: Receives what it writes; nothing does by default. Cancelling the task ends it.
  static func status(
    of program: URL, _ arguments: [String], output: FileHandle = .nullDevice
  ) async throws -> Int32 {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    await withTaskCancellationHandler {
      for await _ in ended {}
    } onCancel: {
      process.terminate()
    }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
