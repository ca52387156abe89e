public import Interception

/// Sentences that say why a call went as it did: which address and protocol were used, why a request was sent
/// again or redirected, and what the cache did.
public struct Explanation: Sendable {
  /// What the command line says of connections.
  public struct Options: Sendable {
    /// The Unix domain sockets by host.
    public var sockets: [String: String] = [:]
    /// The hosts that speak HTTP/2 without TLS.
    public var http2Hosts: Set<String> = []
    /// Whether HTTP/3 is tried first.
    public var triesHTTP3 = false
    /// Whether there is a proxy, and where it is named.
    public var proxyOption: String?
    /// Whether failed requests are sent again.
    public var retries = false

    /// Creates the options of a plain request.
    public init() {}
  }

  /// The exchanges, in the order in which they began.
  public var exchanges: [TracedExchange]
  /// How the cache was used; nil without one.
  public var cache: Exchange.CacheStatus?
  /// The label of the reason for which the request was not sent again.
  public var retryRefusal: String?
  /// Whether the request had `Authorization`.
  public var hadCredentials = false
  /// What the command line says of connections.
  public var options = Options()

  /// Creates an explanation.
  public init(exchanges: [TracedExchange]) { self.exchanges = exchanges }

  /// The sentences, in the order in which things happened.
  public var sentences: [String] {
    var sentences: [String] = []
    if exchanges.isEmpty {
      sentences.append(
        cache?.isHit == true ? "Nothing was sent: the cache had the response." : "Nothing was sent.")
    }
    var former: TracedExchange?
    for exchange in exchanges {
      if let former { sentences.append(transition(from: former, to: exchange)) }
      if let former, exchange.isHop, former.hasCredentials, !exchange.hasCredentials {
        sentences.append("The credentials were left out, because the redirect leads to another origin.")
      }
      // The same connection needs no second explanation.
      let isKnown = former.map { $0.origin == exchange.origin } ?? false
      sentences += connection(of: exchange, isKnown: isKnown)
      former = exchange
    }
    sentences += ending
    return sentences
  }

  // MARK: Between two requests

  private func transition(from former: TracedExchange, to next: TracedExchange) -> String {
    if next.isHop {
      let status = former.status.map { "\($0)" } ?? "a redirect"
      var sentence = "Redirected to \(next.url), because the server responded with \(status)."
      if next.method != former.method {
        let why =
          former.status == 303
          ? "303 asks for that" : "clients do that after \(status), as RFC 9110 permits"
        sentence += " \(former.method) became \(next.method): \(why)."
      }
      return sentence
    }
    let pause = former.end.map { next.start - $0 } ?? .zero
    let waited = pause >= .milliseconds(1) ? " after a pause of \(Figures.text(pause))" : ""
    let again =
      next.attempt > 1 ? "Sent again as attempt \(next.attempt)\(waited)" : "Sent once more\(waited)"
    return "\(again), because \(Self.reason(of: former))."
  }

  private static func reason(of exchange: TracedExchange) -> String {
    switch exchange.outcome {
    case .status(304): return "the server confirmed what was stored"
    case .status(206): return "a part of the content was still missing"
    case .status(let status):
      let wait = exchange.retryAfter.map { " and Retry-After: \($0)" } ?? ""
      return "the server responded with \(status)\(wait)"
    case .failure(let label): return words(ofFailure: label)
    case nil: return "the request before it was unanswered"
    }
  }

  private static func words(ofFailure label: String) -> String {
    switch label {
    case "resolve": "the host name had no address"
    case "connect": "no connection could be made"
    case "timeout_connect": "the connection was not made in time"
    case "timeout_firstByte", "timeout_idle", "timeout_whole": "the server did not respond in time"
    case "transport": "the connection was lost"
    default: "the request failed with \(label)"
    }
  }

  // MARK: Address and protocol

  private func connection(of exchange: TracedExchange, isKnown: Bool) -> [String] {
    guard let report = exchange.transport else {
      let address = exchange.address.map { " The address \($0) is from --resolve." } ?? ""
      guard case .failure(let label) = exchange.outcome else { return [] }
      return ["\(exchange.method) \(exchange.url) failed: \(Self.words(ofFailure: label)).\(address)"]
    }
    if isKnown {
      return [
        report.connectionWasReused
          ? "The connection of the request before was used again."
          : "It was sent over a new connection to the same server."
      ]
    }
    return [addressSentence(exchange, report), protocolSentence(exchange, report)].compactMap { $0 }
  }

  private func addressSentence(_ exchange: TracedExchange, _ report: TransportReport) -> String? {
    if let path = options.sockets[exchange.host] {
      return "Connected over the socket \(Printable.text(path)), because --unix-socket names it for the host."
    }
    guard let address = report.remoteAddress else { return nil }
    if let option = options.proxyOption {
      return "Connected to \(address); \(option) decides whether that is a proxy."
    }
    if exchange.address != nil { return "Connected to \(address), because --resolve names it for the host." }
    return exchange.hasLiteralAddress
      ? "Connected to \(address), because the URL names the address."
      : "Connected to \(address), because the name \(exchange.host) has that address."
  }

  private func protocolSentence(_ exchange: TracedExchange, _ report: TransportReport) -> String? {
    guard let version = report.version else { return nil }
    let isSecure = exchange.url.lowercased().hasPrefix("https:")
    let reason =
      switch version {
      case .http3 where options.triesHTTP3: "--http3 tries it first"
      case .http3: "the server has advertised it"
      case .http2 where isSecure: "the server chose it in the TLS handshake"
      case .http2: "--http2-host names the host"
      case .http1 where isSecure: "the server did not choose HTTP/2 in the TLS handshake"
      case .http1: "without TLS HTTP/2 is used only for a host that --http2-host names"
      }
    guard version != .http3, options.triesHTTP3, let outcome = report.http3 else {
      return "Sent by \(version.rawValue), because \(reason)."
    }
    return "Sent by \(version.rawValue), because \(reason); HTTP/3: \(outcome)."
  }

  // MARK: The end

  private var ending: [String] {
    var sentences: [String] = []
    if let refusal = retryRefusal {
      sentences.append("Not sent again: \(Self.words(ofRefusal: refusal)).")
    } else if !options.retries, let last = exchanges.last, Self.isRetryable(last) {
      sentences.append("Not sent again, because there is no --retry N.")
    }
    if let bytes = exchanges.last?.transport?.bytes, let coding = exchanges.last?.transport?.contentCoding,
      bytes.received > 0
    {
      let size = bytes.decoded != bytes.received ? ", \(Figures.bytes(bytes.received)) of it" : ""
      sentences.append("The content was received in \(coding)\(size), and decoded.")
    }
    if let note = CacheNote.text(cache, hadCredentials: hadCredentials) {
      let text = note.dropFirst("cache: ".count)
      sentences.append("The cache: \(text).")
    }
    return sentences
  }

  private static func isRetryable(_ exchange: TracedExchange) -> Bool {
    switch exchange.outcome {
    case .status(let status): [408, 429, 502, 503, 504].contains(status)
    case .failure(let label):
      ["resolve", "connect", "transport", "timeout_connect", "timeout_firstByte", "timeout_idle"]
        .contains(label)
    case nil: false
    }
  }

  private static func words(ofRefusal label: String) -> String {
    switch label {
    case "no_attempts_left": "it was the last attempt that --retry allows"
    case "not_idempotent": "the server may have processed it, and its method is not safe to repeat"
    case "body_not_replayable": "its content can be read only once"
    case "partly_transferred": "a large part had been transferred, which would be repeated"
    case "retry_after_too_long": "the server asks for a wait of more than 60 s"
    case "no_time_left": "the wait would have exceeded --timeout"
    default: Printable.text(label)
    }
  }
}

extension TracedExchange {
  /// The status of the response, if there is one.
  fileprivate var status: Int? { if case .status(let status) = outcome { status } else { nil } }

  /// Scheme and authority of the URL.
  fileprivate var origin: String {
    guard let slashes = url.firstRange(of: "://") else { return url }
    return String(url[..<(url[slashes.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex)])
  }

  /// The host in lowercase, without the port.
  fileprivate var host: String {
    let authority = origin.drop { $0 != "/" }.drop { $0 == "/" }
    if authority.first == "[" { return String(authority.prefix { $0 != "]" }.dropFirst()).lowercased() }
    return String(authority.prefix { $0 != ":" }).lowercased()
  }

  fileprivate var hasLiteralAddress: Bool {
    host.contains(":") || (host.contains(".") && host.allSatisfy { $0.isNumber || $0 == "." })
  }
}
