import Foundation

/// Bytes determined by their positions, which reveal lost, repeated and foreign chunks.
enum SoakPattern {
  /// The maximum size.
  static let most = 256 << 10
  // The period is coprime to all buffer sizes.
  private static let all: [UInt8] = (0..<most).map { UInt8($0 % 251) }

  static func bytes(_ count: Int) -> [UInt8] { Array(all.prefix(count)) }

  static func matches(_ bytes: [UInt8], at offset: Int) -> Bool {
    guard offset + bytes.count <= most else { return false }
    // As data, because a debug build compares arrays element by element through witnesses.
    return Data(bytes) == Data(all[offset..<(offset + bytes.count)])
  }
}
