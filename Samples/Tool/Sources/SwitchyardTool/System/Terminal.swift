import Foundation
import ToolCommands

/// Standard output or standard error, and what is known of it.
struct Terminal: Sendable {
  static let output = Terminal(descriptor: 1)
  static let error = Terminal(descriptor: 2)

  private let descriptor: Int32
  /// Whether a person reads it, and no program or file.
  let isTerminal: Bool
  /// The colours without an option `--color`.
  var ink: Ink { ink(.auto) }

  private init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// Returns the colours for an option `--color`.
  func ink(_ choice: ColorChoice) -> Ink {
    Ink(choice, isTerminal: isTerminal, environment: ProcessInfo.processInfo.environment)
  }

  /// The width in columns; 80 if it is unknown.
  var width: Int { size?.columns ?? Self.number("COLUMNS", 20...1_000) ?? 80 }

  /// The height in lines; 24 if it is unknown.
  var height: Int { size?.lines ?? Self.number("LINES", 5...10_000) ?? 24 }

  private var size: (columns: Int, lines: Int)? {
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  private static func number(_ variable: String, _ range: ClosedRange<Int>) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
      .map { min(max($0, range.lowerBound), range.upperBound) }
  }

  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws(ToolFailure) {
    try FileWriting.write(
      bytes, to: descriptor, named: descriptor == 1 ? "standard output" : "standard error")
  }

  /// Writes a line.
  func line(_ text: String) throws(ToolFailure) { try write(Array("\(text)\n".utf8)) }

  /// Writes lines.
  func lines(_ lines: [String]) throws(ToolFailure) {
    try write(Array(lines.map { $0 + "\n" }.joined().utf8))
  }

  /// Writes a message of the program; a failure is ignored, because it could not be reported either.
  static func note(_ text: String) { try? error.line("switchyard: \(text)") }
}

/// Writes to descriptors, however few bytes the system accepts per call.
enum FileWriting {
  static func write(_ bytes: [UInt8], to descriptor: Int32, named name: String) throws(ToolFailure) {
    let code: Int32 = bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = Foundation.write(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
        if count < 0 {
          if errno == EINTR { continue }
          return errno
        }
        written += count
      }
      return 0
    }
    guard code != 0 else { return }
    guard code != EPIPE else { throw .closedOutput }
    throw ToolFailure(.unwritable, "Cannot write \(name): \(String(cString: strerror(code))).")
  }
}
