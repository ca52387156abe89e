import Foundation

/// A program beside this one, which is found in the same folder.
final class ChildProcess: Sendable {
  /// The lines of its standard output; they end with the process.
  let lines: AsyncStream<String>
  let id: Int32
  private let input: Pipe?
  private let status: Task<Int32, Never>

  /// Starts a program.
  ///
  /// - Parameter hasInput: Whether its standard input stays open until ``closeInput()``.
  init(_ name: String, _ arguments: [String], hasInput: Bool = false) throws {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: name)
    process.arguments = arguments
    input = hasInput ? Pipe() : nil
    if let input { process.standardInput = input } else { process.standardInput = FileHandle.nullDevice }
    let output = Pipe()
    process.standardOutput = output
    let (lines, feed) = AsyncStream.makeStream(of: String.self)
    let (ends, end) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { process in
      end.yield(process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
      end.finish()
    }
    try process.run()
    (self.lines, id) = (lines, process.processIdentifier)
    status = Task {
      for await status in ends { return status }
      return -1
    }
    // Reading blocks, and the pool has few threads.
    Thread.detachNewThread {
      var rest = Data()
      while case let part = output.fileHandleForReading.availableData, !part.isEmpty {
        rest += part
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          feed.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
      }
      feed.finish()
    }
  }

  /// Ends its standard input.
  func closeInput() { try? input?.fileHandleForWriting.close() }

  func send(_ signal: Int32) { kill(id, signal) }

  /// Waits until it has ended, and returns its status; negative for a signal.
  @discardableResult func ended() async -> Int32 { await status.value }
}
