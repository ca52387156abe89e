import Interception

/// The timings of an entry, by the rules of HAR 1.2.
struct ArchiveTimings: Sendable, Hashable {
  /// Nil for phases that did not occur, which the format writes as -1.
  var blocked: Duration?
  var dns: Duration?
  /// Includes ``ssl``.
  var connect: Duration?
  var ssl: Duration?
  // The format requires the others.
  var wait: Duration
  var receive: Duration

  /// Creates timings from a transport's phases, or from the whole duration if there are none.
  init(_ phases: TransportReport.Phases?, whole: Duration) {
    blocked = phases?.queue
    dns = phases?.name
    ssl = phases?.tls
    connect = phases?.connect.map { $0 + (phases?.tls ?? .zero) } ?? phases?.tls
    wait = phases?.firstByte ?? (phases?.lastByte == nil ? whole : .zero)
    receive = phases?.lastByte ?? .zero
  }

  /// The sum of the phases; `ssl` is part of `connect`.
  var total: Duration { (blocked ?? .zero) + (dns ?? .zero) + (connect ?? .zero) + wait + receive }

  var json: JSONValue {
    .object([
      ("blocked", Self.json(blocked)), ("dns", Self.json(dns)), ("connect", Self.json(connect)),
      ("ssl", Self.json(ssl)), ("send", .number(0)), ("wait", Self.json(wait)),
      ("receive", Self.json(receive)),
    ])
  }

  static func json(_ duration: Duration?) -> JSONValue {
    duration.map { .number(LogText.milliseconds($0)) } ?? .number(-1)
  }
}
