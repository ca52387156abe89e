/// The records of one type in a response of DNS, and the aliases that lead to them.
struct AnswerSection {
  /// One record.
  struct Record {
    let name: [UInt8]
    let data: NameReader
    let seconds: UInt32
  }

  /// The records of a name, or of the name that it is an alias of.
  struct Found {
    /// The name that was asked for, and the aliases that lead to the records, whose name is the last one.
    var names: [[UInt8]]
    let records: [Record]
    /// The shortest time for which a record on the way is valid.
    let timeToLive: Duration
  }

  private static let aliasType: UInt16 = 5
  /// The maximum number of aliases that are followed.
  private static let maximumAliases = 16

  /// The records in the server's order, of whatever name.
  private(set) var records: [Record] = []
  private var aliases: [[UInt8]: (name: [UInt8], seconds: UInt32)] = [:]

  /// Reads a response, which may say that a name does not exist.
  init(_ message: [UInt8], type: UInt16) throws(NameMessage.Fault) {
    var reader = NameReader(message)
    _ = try reader.number()
    let flags = try reader.number()
    // It must be a response, and not be truncated.
    guard flags & 0x8000 != 0, flags & 0x0200 == 0 else { throw .malformed }
    let code = Int(flags & 0x0F)
    // 3: the name doesn't exist.
    guard code == 0 || code == 3 else { throw .refused(code: code) }
    let (questions, answers) = (try reader.number(), try reader.number())
    try reader.skip(4)
    for _ in 0..<questions {
      _ = try reader.name()
      try reader.skip(4)
    }
    for _ in 0..<answers {
      let name = try reader.name()
      let (recordType, recordClass) = (try reader.number(), try reader.number())
      // A time with the highest bit set means 0 (RFC 2181, section 8).
      let seconds = min(try reader.longNumber(), 0x8000_0000) & 0x7FFF_FFFF
      let data = try reader.data()
      guard recordClass == NameMessage.internet else { continue }
      if recordType == Self.aliasType {
        var target = data
        aliases[name] = (try target.name(), seconds)
      } else if recordType == type {
        records.append(Record(name: name, data: data, seconds: seconds))
      }
    }
  }

  /// Returns the records of a name, whose aliases are followed; nil if there is none.
  func records(of name: [UInt8]) -> Found? {
    var (names, shortest) = ([name], UInt32.max)
    var current = name
    for _ in 0...Self.maximumAliases {
      let found = records.filter { $0.name == current }
      if !found.isEmpty {
        let seconds = found.map(\.seconds).reduce(shortest, min)
        return Found(names: names, records: found, timeToLive: .seconds(Int64(seconds)))
      }
      guard let alias = aliases[current] else { return nil }
      (current, shortest) = (alias.name, min(shortest, alias.seconds))
      names.append(current)
    }
    return nil
  }
}
