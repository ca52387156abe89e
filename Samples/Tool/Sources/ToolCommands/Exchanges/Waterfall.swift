public import Interception

/// A drawing of a call in text: a line for each phase of each exchange, below each other in time.
public struct Waterfall: Sendable {
  /// The exchanges, in the order in which they began.
  public var exchanges: [TracedExchange]
  /// How the cache was used; nil without one.
  public var cache: Exchange.CacheStatus?
  /// Why the request was not sent again, if it is usually.
  public var retryRefusal: String?
  /// The time of the whole call.
  public var total: Duration

  /// Creates a drawing.
  public init(
    exchanges: [TracedExchange], cache: Exchange.CacheStatus? = nil,
    retryRefusal: String? = nil, total: Duration
  ) {
    self.exchanges = exchanges
    self.cache = cache
    self.retryRefusal = retryRefusal
    self.total = total
  }

  /// A phase with its place in time.
  struct Phase: Hashable {
    let name: String
    let start: Duration
    let time: Duration
  }

  /// The phases of an exchange; one without a name, if the transport reported none.
  static func phases(of exchange: TracedExchange) -> [Phase] {
    var phases: [Phase] = []
    var start = exchange.start
    for (name, time) in exchange.transport?.phases.named ?? [] {
      phases.append(Phase(name: name, start: start, time: time))
      start += time
    }
    if phases.isEmpty, let end = exchange.end {
      phases = [Phase(name: "until it ended", start: exchange.start, time: max(end - exchange.start, .zero))]
    }
    return phases
  }

  /// Returns the drawing as lines.
  ///
  /// - Parameter width: The width of the terminal, in columns.
  public func lines(_ ink: Ink, width: Int = 80) -> [String] {
    let all = exchanges.map(Self.phases)
    let nameWidth = all.joined().map(\.name.count).max() ?? 0
    let timeWidth = all.joined().map { Figures.text($0.time).count }.max() ?? 0
    let end = max(all.joined().map { $0.start + $0.time }.max() ?? .zero, total)
    let barWidth = max(width - nameWidth - timeWidth - 6, 10)
    var lines: [String] = []
    var former: Duration?
    for (exchange, phases) in zip(exchanges, all) {
      if let former, exchange.start - former >= .milliseconds(1) {
        lines.append(ink(.faint, "  pause of \(Figures.text(exchange.start - former))"))
      }
      lines += heading(of: exchange, ink)
      for phase in phases {
        let bar = Self.bar(phase, end: end, width: barWidth)
        let figures =
          "  \(Figures.left(phase.name, nameWidth))  \(Figures.right(Figures.text(phase.time), timeWidth))  "
        lines.append(figures + bar.indent + ink(Self.style(of: phase.name), bar.text))
      }
      former = phases.last.map { $0.start + $0.time } ?? exchange.end
    }
    return lines + [summary(ink)]
  }

  func heading(of exchange: TracedExchange, _ ink: Ink) -> [String] {
    let kind =
      exchange.isHop ? "redirected to " : exchange.attempt > 1 ? "attempt \(exchange.attempt): " : ""
    let outcome =
      switch exchange.outcome {
      case .status(let status): ink(status < 300 ? .green : status < 400 ? .yellow : .red, "\(status)")
      case .failure(let label): ink(.red, label)
      case nil: ink(.red, "not ended")
      }
    let first = "\(kind)\(ink(.bold, exchange.method)) \(exchange.url) → \(outcome)"
    let facts = Self.facts(of: exchange)
    return facts.isEmpty ? [first] : [first, "  " + ink(.faint, facts)]
  }

  private static func facts(of exchange: TracedExchange) -> String {
    var facts: [String] = []
    if let transport = exchange.transport {
      let protocolName = transport.version?.rawValue ?? "HTTP"
      facts.append(protocolName + (transport.remoteAddress.map { " to \($0)" } ?? ""))
      facts.append(transport.connectionWasReused ? "connection reused" : "new connection")
      let bytes = transport.bytes
      if bytes.sent > 0 { facts.append("\(Figures.bytes(bytes.sent)) sent") }
      let isDecoded = bytes.decoded != bytes.received
      let coding = transport.contentCoding.map { isDecoded ? "" : " in \($0)" } ?? ""
      if bytes.received > 0 { facts.append("\(Figures.bytes(bytes.received)) received\(coding)") }
      if isDecoded, let coding = transport.contentCoding {
        facts.append("\(Figures.bytes(bytes.decoded)) decoded from \(coding)")
      }
    } else if let address = exchange.address {
      facts.append("to \(address)")
    }
    if exchange.address != nil { facts.append("address from --resolve") }
    return facts.joined(separator: ", ")
  }

  func summary(_ ink: Ink) -> String {
    let hops = exchanges.filter(\.isHop).count
    var parts = [ink(.bold, "total \(Figures.text(total))")]
    parts.append(exchanges.isEmpty ? "nothing sent" : Figures.count(exchanges.count, "request"))
    if hops > 0 { parts.append(Figures.count(hops, "redirect")) }
    if let cache { parts.append("cache: \(cache)") }
    if let retryRefusal { parts.append("not retried: \(retryRefusal)") }
    return parts.joined(separator: ", ")
  }

  private static func bar(_ phase: Phase, end: Duration, width: Int) -> (indent: String, text: String) {
    let whole = Figures.seconds(end)
    guard whole > 0 else { return ("", "") }
    // A tiny amount more, because a tenth of ten columns may be slightly less than one.
    let start = min(Int(Figures.seconds(phase.start) / whole * Double(width) + 1e-6), width - 1)
    let share = Figures.seconds(phase.time) / whole
    return (String(repeating: " ", count: max(start, 0)), Bar.text(share: max(share, 1e-9), width: width))
  }

  private static func style(of phase: String) -> Ink.Style {
    switch phase {
    case "queue": .faint
    case "name": .cyan
    case "connect": .blue
    case "tls": .yellow
    default: .green
    }
  }
}
