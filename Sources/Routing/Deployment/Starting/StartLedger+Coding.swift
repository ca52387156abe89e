import Cryptography
import Interception

extension StartLedger {
  /// The maximum length of the encoded form in bytes.
  static let maximumSize = 128 << 10
  private static let format = "switchyard deployment starts 1"
  /// A time far from both ends of what a file system or a clock can state, in seconds since 1970.
  private static let lastSecond: Int64 = 1 << 40

  /// Reads the encoded form; nil if it is damaged.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.maximumSize, bytes.count > Digest.size,
      let digest = try? Digest.sha256(Array(bytes.dropLast(Digest.size))),
      digest[...] == bytes.suffix(Digest.size)
    else { return nil }
    var reader = LengthPrefixedReader(bytes.dropLast(Digest.size))
    guard reader.text() == Self.format,
      let record = reader.field().flatMap({ DeploymentRecord(Array($0)) }),
      let documentCount = reader.count(upTo: Self.documentLimit)
    else { return nil }
    var entries: [Entry] = []
    for _ in 0..<documentCount {
      guard let entry = reader.entry() else { return nil }
      entries.append(entry)
    }
    guard let candidate = reader.optional({ $0.entry() }), let count = reader.count(upTo: Self.eventLimit)
    else { return nil }
    var events: [DeploymentEvent] = []
    for _ in 0..<count {
      guard let event = reader.event() else { return nil }
      events.append(event)
    }
    guard reader.isAtEnd else { return nil }
    self.init(record: record, entries: entries, candidate: candidate, events: events)
  }

  /// The encoded form, which ends with the SHA-256 of what precedes it.
  var bytes: [UInt8] {
    get throws(CryptographyError) {
      var fields = LengthPrefixed()
      fields.append(Self.format)
      fields.append(record.bytes)
      fields.append(count: entries.count)
      for entry in entries { fields.append(entry) }
      fields.append(candidate) { $0.append($1) }
      fields.append(count: events.count)
      for event in events { fields.append(event) }
      return fields.bytes + (try Digest.sha256(fields.bytes))
    }
  }

  fileprivate static func time(_ seconds: UInt64?) -> WallTime? {
    guard let seconds = seconds.flatMap({ Int64(exactly: $0) }), seconds <= lastSecond else { return nil }
    return WallTime(secondsSince1970: seconds)
  }
}

extension LengthPrefixed {
  fileprivate mutating func append<Value>(_ value: Value?, _ write: (inout LengthPrefixed, Value) -> Void) {
    append(count: value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }

  fileprivate mutating func append(_ entry: StartLedger.Entry) {
    append(word: entry.version.number)
    append(entry.version.digest)
    append(entry.app)
    append(entry.confirmedBy) { $0.append($1) }
    append(count: entry.deaths)
    append(count: entry.holds)
    append(entry.heldSince) { $0.append(time: $1) }
    append(entry.openStart) {
      $0.append($1.app)
      $0.append($1.boot)
    }
  }

  fileprivate mutating func append(_ event: DeploymentEvent) {
    append(event.kind.rawValue)
    append(time: event.time)
    append(event.version) { $0.append(word: $1) }
    append(event.detail)
  }

  /// Appends the seconds of a time; one before 1970 is written as 1970.
  private mutating func append(time: WallTime) { append(word: UInt64(max(0, time.seconds))) }
}

extension LengthPrefixedReader {
  /// Reads a value that may be missing: nil if it is malformed.
  fileprivate mutating func optional<Value>(_ read: (inout Self) -> Value?) -> Value?? {
    guard let count = count(upTo: 1) else { return nil }
    guard count == 1 else { return .some(nil) }
    return read(&self).map { .some($0) }
  }

  fileprivate mutating func entry() -> StartLedger.Entry? {
    guard let number = word(), let digest = field(), digest.count == Digest.size, let app = text(),
      let confirmedBy = optional({ $0.text() }), let deaths = count(upTo: StartLedger.deathLimit),
      let holds = count(upTo: 1_000), let heldSince = optional({ StartLedger.time($0.word()) }),
      let openStart = optional({ $0.surroundings() })
    else { return nil }
    let version = StartLedger.Version(number: number, digest: Array(digest))
    var entry = StartLedger.Entry(version, app: app, confirmedBy: confirmedBy)
    (entry.deaths, entry.holds) = (deaths, holds)
    (entry.heldSince, entry.openStart) = (heldSince, openStart)
    return entry
  }

  private mutating func surroundings() -> StartLedger.Surroundings? {
    guard let app = text(), let boot = text() else { return nil }
    return StartLedger.Surroundings(app: app, boot: boot)
  }

  fileprivate mutating func event() -> DeploymentEvent? {
    guard let kind = text().flatMap(DeploymentEvent.Kind.init), let time = StartLedger.time(word()),
      let version = optional({ $0.word() }), let detail = text()
    else { return nil }
    return DeploymentEvent(kind, version, at: time, detail)
  }
}
