/// Commands of RESP2, to be sent in one write.
struct RESPCommands: Sendable, Hashable {
  /// The commands, as they are sent.
  private(set) var bytes: [UInt8] = []
  /// The number of commands, which is the number of replies.
  private(set) var count = 0

  /// Appends a command; words may contain any byte.
  mutating func append(_ words: String...) { append(words, bytes: nil) }

  /// Appends a command with a variable number of words.
  mutating func append(_ words: [String]) { append(words, bytes: nil) }

  /// Appends the commands of another list.
  mutating func append(contentsOf others: RESPCommands) {
    bytes.append(contentsOf: others.bytes)
    count += others.count
  }

  /// Appends `PSETEX`, which sets a value with a time to live.
  mutating func appendSet(_ key: String, _ value: [UInt8], milliseconds: Int64) {
    append(["PSETEX", key, String(milliseconds)], bytes: value)
  }

  /// Appends a command whose last word is given as bytes.
  private mutating func append(_ words: [String], bytes last: [UInt8]?) {
    bytes.append(UInt8(ascii: "*"))
    appendLine(words.count + (last == nil ? 0 : 1))
    for word in words { append(word.utf8) }
    if let last { append(last) }
    count += 1
  }

  private mutating func append(_ word: some Collection<UInt8>) {
    bytes.append(UInt8(ascii: "$"))
    appendLine(word.count)
    bytes.append(contentsOf: word)
    bytes.append(contentsOf: [0x0D, 0x0A])
  }

  private mutating func appendLine(_ number: Int) {
    bytes.append(contentsOf: String(number).utf8)
    bytes.append(contentsOf: [0x0D, 0x0A])
  }
}

/// A reply in the serialization protocol of Redis (RESP2), as far as the commands of a store have one.
enum RESPReply: Sendable, Hashable {
  /// A status, such as `OK`.
  case status(String)
  /// An error, such as `OOM command not allowed when used memory > 'maxmemory'`.
  case error(String)
  /// A string of bytes.
  case bytes([UInt8])
  /// A number, such as that of the keys that were deleted.
  case integer(Int)
  /// The absence of a value.
  case null
  /// A reply that no command of a store has, such as an array.
  case unexpected
}
