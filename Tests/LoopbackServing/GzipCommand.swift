import CommandRunning

/// The `gzip` program, as an independent compressor.
public enum GzipCommand {
  /// Returns bytes as one gzip member.
  public static func compress(_ bytes: [UInt8]) async throws -> [UInt8] {
    try await run("gzip -9 -n -c", input: bytes)
  }

  /// Returns a decompression bomb: `count` zero bytes as one gzip member, a thousandth of their size.
  public static func zeros(_ count: Int) async throws -> [UInt8] {
    try await run("head -c \(count) /dev/zero | gzip -9 -n -c")
  }

  private static func run(_ line: String, input: [UInt8] = []) async throws -> [UInt8] {
    var command = Command("/bin/sh", "-c", line)
    command.input = input
    command.mergesErrors = false
    let outcome = try await command.run()
    guard outcome.status == 0, !outcome.bytes.isEmpty else {
      throw LoopbackError(sentence: "\(line) failed with exit status \(outcome.status)")
    }
    return outcome.bytes
  }
}
