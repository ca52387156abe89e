public import Interception
import RedirectFollowing

/// What the program reports of an error of the chain: what happened and to what, the facts, and what to do.
///
/// ```
/// tls_expired: The certificate of localhost:8443 expired on 2026-02-01, 301 days ago.
///   request: GET https://localhost:8443/
///   certificate: CN=localhost, issued by CN=Example CA
///   try: renew the certificate on the server, or set this machine's clock right
/// ```
///
/// It has no control characters, and a limit of length, because a server can choose parts of it.
public struct FailureReport: Sendable {
  /// The error.
  public var error: NetworkError
  /// The requests of the call, which show where redirects repeat.
  public var exchanges: [TracedExchange] = []
  /// The certificate that the server presents, if it could be read.
  public var certificate: CertificateFacts?
  /// The time at which the certificate is judged, in seconds since 1970.
  public var now: Int64 = 0
  /// The bytes of the content that had been received when the connection was lost.
  public var receivedBytes: Int64?
  /// The length of the content, as the server announced it.
  public var announcedBytes: Int64?

  private static let maximumLength = 1_000

  /// Creates a report of an error about which nothing else is known.
  public init(_ error: NetworkError) { self.error = error }

  /// The failure with its exit status.
  public var failure: ToolFailure { ToolFailure(ExitStatus(error), lines.joined(separator: "\n  ")) }

  /// What happened and what to do, in one line, for a place that names the request itself.
  public var sentence: String {
    let lines = lines
    let remedy = lines.last.flatMap { $0.hasPrefix("try: ") ? $0.dropFirst(5) : nil }
    guard let what = lines.first, let remedy else { return lines.first ?? "" }
    return "\(what.last == "." ? what.dropLast() : what[...]); \(remedy)."
  }

  /// The lines; all but the first are facts and remedies.
  var lines: [String] {
    let (what, remedy) = Self.parts(of: OptionNames.replacingTypes(in: error.reason))
    var lines = ["\(error.label): \(headline ?? Self.sentence(what))"]
    if let request { lines.append("request: \(request)\(attempts)") }
    lines += facts
    if let advice = advice ?? remedy { lines.append("try: \(advice)") }
    return lines.map { line in
      let text = Printable.text(line)
      return text.count > Self.maximumLength ? "\(text.prefix(Self.maximumLength))…" : text
    }
  }

  /// The request that failed; an error of reading a stream does not name it.
  private var request: String? {
    error.request.map { "\($0)" } ?? exchanges.last.map { "\($0.method) \($0.url)" }
  }

  private var attempts: String { error.attempt > 1 ? ", attempt \(error.attempt)" : "" }

  // MARK: What happened

  /// A sentence that says more than the error's own, if more is known.
  private var headline: String? {
    if let certificate, case .tls(let fault) = error.kind, let host {
      return certificate.sentence(about: fault, host: host, now: now)
    }
    if let loop {
      return "The redirects lead in a circle of \(Figures.count(loop.count, "URL")), "
        + "and \(exchanges.filter(\.isHop).count) were followed."
    }
    // The chain or the transport notices it first, each in its own words.
    if case .timeout(.call) = error.kind, let host {
      return "The call to \(host) did not end within its time limit, with all its attempts."
    }
    return nil
  }

  private var facts: [String] {
    var facts: [String] = []
    if let certificate, case .tls = error.kind { facts.append("certificate: \(certificate.description)") }
    for (index, exchange) in (loop ?? []).enumerated() {
      facts.append("circle: \(index == 0 ? "" : "→ ")\(exchange.method) \(exchange.url)")
    }
    if let receivedBytes, isInterruption {
      let whole = announcedBytes.map { " of \(Figures.bytes($0))" } ?? ""
      facts.append("received: \(Figures.bytes(receivedBytes))\(whole)")
    }
    return facts
  }

  private var host: String? { error.request?.authority }

  private var isInterruption: Bool {
    switch error.kind {
    case .transport, .timeout: true
    default: false
    }
  }

  // MARK: What to do

  /// What to do in the words of the program's options; nil if the error's own remedy is right.
  private var advice: String? {
    switch error.kind {
    case .tls(.expired):
      let isEarly = certificate.map { $0.notBefore > now } ?? false
      return isEarly
        ? "set this machine's clock right, or wait until the certificate is valid"
        : "renew the certificate on the server, or set this machine's clock right"
    case .tls(.nameMismatch):
      let names = certificate.map { $0.shownNames } ?? ""
      return names.isEmpty
        ? "correct the host, or the server's certificate"
        : "use a name that the certificate has, or reach the server by it with --resolve NAME:ADDRESS"
    case .tls(.untrusted) where error.reason.contains("cannot be read"):
      return "name a file in PEM with --cacert"
    case .tls(.untrusted) where certificate?.isSelfIssued == false:
      return
        "if the server is yours, trust its authority with --cacert FILE, or let it send its intermediate "
        + "certificates; otherwise send it nothing"
    case .tls(.untrusted):
      return "if the server is yours, trust it with --cacert FILE; otherwise send it nothing"
    case .tls(.handshake) where error.reason.contains("client certificate"):
      return "ask for another way in; this program sends no client certificate"
    case .tls(.handshake) where error.reason.contains("TLSPolicy"):
      return "check the port, and the versions of TLS that the server speaks"
    case .timeout(.connect):
      return "check that the host can be reached, or allow more with --connect-timeout SECONDS"
    case .timeout(.call): return "check the server, or allow more time with --timeout SECONDS"
    case .timeout: return "check the server and the network, or send it again with --retry N"
    case .transport where receivedBytes != nil:
      return "send it again; with a file, switchyard download continues where this ended"
    case .protocolViolation where error.reason.contains("coding is broken"):
      return "check the server, or get the content without a coding with -H 'Accept-Encoding: identity'"
    case .transport where ExitStatus(error) == .emptyReply:
      return "check the server's log, or send it again with --retry N"
    case .protocolViolation where error.reason.contains("ResponseLimits"):
      return "if you trust the server, get the content without a coding with -H 'Accept-Encoding: identity'"
    case .bodyNotReplayable: return "name a file instead of standard input"
    default: return redirectAdvice
    }
  }

  private var redirectAdvice: String? {
    switch error.underlying(as: RedirectError.self)?.rule {
    case .tooMany where loop != nil: "correct the server; --no-redirects shows its first response"
    case .tooMany: "correct the server, or follow more with --max-redirects N"
    case .downgrade: "correct the server, or send a request to that URL yourself"
    case .scheme: "read Location with --no-redirects -i; only http and https are followed"
    case .bodyNotReplayable: "name a file instead of standard input"
    case .privateAddress: "if you trust the server, send a request to that URL yourself"
    case .invalidLocation, .refused, .secretBody, .otherOrigin, nil: nil
    }
  }

  // MARK: Redirects that repeat

  /// The requests of the circle in which the redirects lead; nil if they do not repeat.
  private var loop: [TracedExchange]? {
    guard case .tooMany? = error.underlying(as: RedirectError.self)?.rule else { return nil }
    return Self.circle(of: exchanges)
  }

  /// The shortest sequence of requests that the last ones repeat; nil if there is none.
  static func circle(of exchanges: [TracedExchange]) -> [TracedExchange]? {
    let names = exchanges.map { "\($0.method) \($0.url)" }
    for length in 1...max(names.count / 2, 1) where names.count >= 2 * length {
      let last = names.suffix(length)
      if Array(names.dropLast(length).suffix(length)) == Array(last) { return exchanges.suffix(length) }
    }
    return nil
  }

  // MARK: Sentences

  /// The two parts of an error's reason: what happened, and the remedy after the semicolon.
  private static func parts(of reason: String) -> (what: String, remedy: String?) {
    guard let semicolon = reason.firstRange(of: "; ") else { return (reason, nil) }
    let rest = reason[semicolon.upperBound...]
    var remedy = String(rest.last == "." ? rest.dropLast() : rest)
    // After "try:" a remedy begins with a verb.
    if remedy.hasPrefix("the server must ") {
      remedy = "let " + remedy.replacing("must ", with: "", maxReplacements: 1)
    }
    return (String(reason[..<semicolon.lowerBound]), remedy)
  }

  private static func sentence(_ text: String) -> String {
    text.last.map { ".!?".contains($0) || !$0.isLetter && !$0.isNumber } ?? true ? text : text + "."
  }
}
