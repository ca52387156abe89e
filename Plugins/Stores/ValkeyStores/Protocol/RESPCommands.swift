/// Commands of RESP2, to be sent in one write.
struct RESPCommands: Sendable, Hashable {
  /// The commands, as they are sent.
  private(set) var bytes: [UInt8] = []
  /// The number of commands, which is the number of replies.
  private(set) var count = 0

  /// Appends a command; words may contain any byte.
  mutating func append(_ words: String...) {
    bytes.append(UInt8(ascii: "*"))
    appendLine(words.count)
    for word in words {
      bytes.append(UInt8(ascii: "$"))
      appendLine(word.utf8.count)
      bytes.append(contentsOf: word.utf8)
      bytes.append(contentsOf: [0x0D, 0x0A])
    }
    count += 1
  }

  private mutating func appendLine(_ number: Int) {
    bytes.append(contentsOf: String(number).utf8)
    bytes.append(contentsOf: [0x0D, 0x0A])
  }
}
