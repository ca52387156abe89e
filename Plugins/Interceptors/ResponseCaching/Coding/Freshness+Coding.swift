import Cryptography
import Interception

extension Freshness {
  /// Appends the freshness to the fields of a stored response; the steady clock's time is left out, because
  /// it means nothing to another process.
  func write(to fields: inout LengthPrefixed) {
    fields.append(word: UInt64(bitPattern: received.wall.seconds))
    fields.append(word: UInt64(bitPattern: received.wall.nanoseconds))
    for duration in [initialAge, lifetime, staleWindow] { Self.write(duration, to: &fields) }
  }

  /// Reads a freshness; nil if it is malformed.
  init?(from fields: inout LengthPrefixedReader) {
    guard let seconds = fields.word(), let nanoseconds = fields.word(),
      let initialAge = Self.duration(from: &fields), let lifetime = Self.duration(from: &fields),
      let staleWindow = Self.duration(from: &fields)
    else { return nil }
    let wall = WallTime(
      secondsSince1970: Int64(bitPattern: seconds), nanoseconds: Int64(bitPattern: nanoseconds))
    self.init(
      received: CacheInstant(wall: wall, steady: nil), initialAge: initialAge, lifetime: lifetime,
      staleWindow: staleWindow)
  }

  private static func write(_ duration: Duration, to fields: inout LengthPrefixed) {
    let (seconds, attoseconds) = duration.components
    fields.append(word: UInt64(bitPattern: seconds))
    fields.append(word: UInt64(bitPattern: attoseconds))
  }

  private static func duration(from fields: inout LengthPrefixedReader) -> Duration? {
    guard let seconds = fields.word(), let attoseconds = fields.word() else { return nil }
    return Duration(
      secondsComponent: Int64(bitPattern: seconds), attosecondsComponent: Int64(bitPattern: attoseconds))
  }
}
