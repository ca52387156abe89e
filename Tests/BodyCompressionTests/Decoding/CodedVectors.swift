import LoopbackServing

/// Coded bytes that other programs made.
enum CodedVectors {
  /// A thousand bytes of text.
  static let text = (0..<1000).map { Array("Switchyard ".utf8)[$0 % 11] }
  /// The text, by brotli 1.0.9.
  static let brotliText = bytes("1be703f8c56d6c5de7772cd1513782280a8c00bacceb75bd2600")
  /// The text, by zstd 1.5.4.
  static let zstdText = bytes("28b52ffd60e8029500005853776974636879617264200100da5d152f")
  /// 100 MiB of zeros in 93 bytes, by brotli 1.0.9.
  static let brotliBomb = bytes(
    "cfffff7ff82700e2b14020f7fe9ffffffff04f00c4610180eefd3fffffffe19f0088c32200ddfb7ffeffffc33f0110870500baf7"
      + "fffcffff877f02200e0b0074effff9ffff0fff04401c1600e8deffe7ffff0ffe0980382c00d0bdff01")
  /// 1 MiB of zeros in 49 bytes, by zstd 1.5.4.
  static let zstdFrame = bytes(
    "28b52ffda0000010004c000008000100fcff39100202001000020010000200100002001000020010000200100003001000")
  /// The beginning of a frame with a window of 16 MiB, by zstd 1.5.4.
  static let zstdWideWindow = bytes(
    "28b52ffd00705400001000000100fbff39c002020010000200100002001000020010000200100002")

  /// The text in every coding.
  static func texts() async throws -> [String: [UInt8]] {
    let gzip = try await GzipCommand.compress(text)
    // Without name and time gzip's head has ten bytes and its end eight (RFC 1952); between them is raw
    // deflate.
    let raw = Array(gzip.dropFirst(10).dropLast(8))
    return [
      "gzip": gzip, "x-gzip": gzip, "GZIP": gzip, "deflate": raw, "br": brotliText, "zstd": zstdText,
      "br, gzip": try await GzipCommand.compress(brotliText),
      "gzip,gzip": try await GzipCommand.compress(gzip),
      "zstd , identity, X-GZIP": try await GzipCommand.compress(zstdText),
    ]
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }
}
