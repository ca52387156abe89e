import Foundation

extension Cassette.Content {
  /// Creates the recorded form of some bytes; nil if there are none.
  init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return nil }
    text = String(validating: bytes, as: UTF8.self)
    // Control characters other than line breaks and tabs make text unreadable, and JSON has to escape them.
    if text?.unicodeScalars.contains(where: { $0.value < 32 && ![9, 10, 13].contains($0.value) }) ?? true {
      text = nil
      base64 = Data(bytes).base64EncodedString()
    }
    length = bytes.count
    sha256 = ContentDigest.sha256(bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .joined()
  }

  /// The bytes; edits made by hand are not checked against the length and the hash.
  public var bytes: [UInt8] {
    if let text { return Array(text.utf8) }
    return base64.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
  }
}
