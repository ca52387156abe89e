import Foundation

/// The `gzip` program, as a foreign maker of compressed bytes.
public enum GzipCommand {
  /// Returns bytes as one gzip member.
  public static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("plain-\(UUID().uuidString)")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try run("gzip -9 -n -c '\(file.path)'")
  }

  /// Returns a bomb: `count` zero bytes as one gzip member, a thousandth of their size.
  public static func zeros(_ count: Int) throws -> [UInt8] {
    try run("head -c \(count) /dev/zero | gzip -9 -n -c")
  }

  private static func run(_ command: String) throws -> [UInt8] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0, !data.isEmpty else {
      throw LoopbackError(sentence: "\(command) ended with \(process.terminationStatus)")
    }
    return Array(data)
  }
}
