import HTTPTypes
public import Interception
public import RequestLogging

/// A curl command that sends the same request: its fields and no others, its content, over the same
/// connection.
///
/// Secrets are hidden as the library's `CurlCommand` hides them: it can be run, and sends `REDACTED` instead
/// of each hidden value and of a content that is part of the command line. Files are named, not quoted.
public struct CurlLine: Sendable {
  /// Where the content of the request comes from.
  public enum Content: Sendable, Hashable {
    /// The body of the request itself.
    case body
    /// A file, or standard input for "-".
    case file(String)
    /// The parts of a form with files.
    case parts([FormArgument])
  }

  /// What the command line says besides the request.
  public struct Options: Sendable {
    /// Where the content comes from.
    public var content = Content.body
    /// The maximum number of redirects; nil if none is followed.
    public var maxRedirects: Int?
    /// The limit of the whole call, in seconds.
    public var timeout: Double?
    /// The limit to connect, in seconds.
    public var connectTimeout: Double?
    /// How long the content waits for the server, in seconds.
    public var expectContinue: Double?
    /// How often a failed request is sent again.
    public var retries = 0
    /// The file of the authorities to trust.
    public var authorityFile: String?
    /// The addresses of hosts.
    public var addresses: [AddressArgument] = []
    /// The Unix domain sockets of hosts.
    public var sockets: [SocketArgument] = []
    /// The hosts that speak HTTP/2 without TLS.
    public var http2Hosts: Set<String> = []
    /// Whether HTTP/3 is tried first.
    public var triesHTTP3 = false
    /// The URL of the proxy.
    public var proxy: String?
    /// Whether proxies of the environment are kept out, which curl would use.
    public var excludesProxies = false
    /// Whether the head is written, too.
    public var includesHead = false
    /// Whether a status of 400 or above is an error.
    public var fails = false
    /// The file to which the response is written.
    public var output: String?
    /// Whether secrets are shown.
    public var showsSecrets = false

    /// Creates the options of a plain request.
    public init() {}
  }

  /// The command line, without a line break.
  public private(set) var line = ""
  /// The number of values that are hidden.
  public private(set) var hiddenCount = 0
  private var words = ["curl"]

  private static let mark = "REDACTED"

  /// Creates the command line.
  ///
  /// - Parameters:
  ///   - request: The request as the chain sends it.
  ///   - agent: The value of `User-Agent` that the dispatcher adds if the request has none.
  ///   - redaction: What may be shown, unless the options show everything.
  public init(_ request: Request, agent: String, redaction: Redaction, options: Options) {
    addMethod(of: request, options)
    addTransport(of: request, options)
    addFields(of: request, agent, redaction, options)
    addContent(of: request, options)
    addURL(of: request, redaction, options)
    line = words.joined(separator: " ")
  }

  private mutating func add(_ option: String, _ value: String) {
    words += [option, ShellWord.quoted(value)]
  }

  private mutating func addMethod(of request: Request, _ options: Options) {
    switch request.head.method {
    case .head: words.append("--head")
    case .get where !sendsContent(request, options): break
    case .post where sendsContent(request, options): break
    case let method: add("-X", method.rawValue)
    }
    if let limit = options.maxRedirects {
      words.append("-L")
      add("--max-redirs", "\(limit)")
    }
    if options.includesHead { words.append("-i") }
    if options.fails { words.append("-f") }
    if let output = options.output { add("-o", output) }
    if options.retries > 0 { add("--retry", "\(options.retries)") }
  }

  private mutating func addTransport(of request: Request, _ options: Options) {
    if let field = request.head.headerFields[.acceptEncoding], field != "identity" {
      words.append("--compressed")
    }
    if let limit = options.timeout { add("--max-time", Self.seconds(limit)) }
    if let limit = options.connectTimeout { add("--connect-timeout", Self.seconds(limit)) }
    if let limit = options.expectContinue { add("--expect100-timeout", Self.seconds(limit)) }
    if let file = options.authorityFile { add("--cacert", file) }
    let (host, port) = Self.hostAndPort(of: request)
    if options.http2Hosts.contains(host), request.head.scheme?.lowercased() != "https" {
      words.append("--http2-prior-knowledge")
    }
    if options.triesHTTP3, request.head.scheme?.lowercased() == "https" { words.append("--http3") }
    for socket in options.sockets where socket.host == host { add("--unix-socket", socket.path) }
    let known = options.addresses.filter { [host, "\(host):\(port)"].contains($0.host.lowercased()) }
    let addresses = known.flatMap(\.addresses)
    if let first = addresses.first, Self.hasPort(first) {
      add("--connect-to", "\(host):\(port):\(first)")
    } else if !addresses.isEmpty {
      add("--resolve", "\(host):\(port):" + addresses.map(Self.bracketed).joined(separator: ","))
    }
    if let proxy = options.proxy {
      add("--proxy", options.showsSecrets ? proxy : Redaction().url(proxy))
    } else if options.excludesProxies {
      add("--noproxy", "*")
    }
  }

  private mutating func addFields(
    of request: Request, _ agent: String, _ redaction: Redaction, _ options: Options
  ) {
    let fields = request.head.headerFields
    for field in fields where field.name != .contentLength {
      // curl chooses the boundary of a form itself.
      if case .parts = options.content, field.name == .contentType { continue }
      var value = field.value
      if !options.showsSecrets {
        let shown = Self.value(of: field, redaction)
        if shown != value { hiddenCount += 1 }
        value = shown
      }
      // curl removes a field with an empty value; with a semicolon it sends the field empty.
      add("-H", field.name.rawName + (value.isEmpty ? ";" : ": \(value)"))
    }
    if fields[.userAgent] == nil { add("-H", "User-Agent: \(agent)") }
    if fields[.accept] == nil { add("-H", "Accept:") }
    guard sendsContent(request, options) else { return }
    if fields[.contentType] == nil { add("-H", "Content-Type:") }
    if options.expectContinue == nil, fields[.expect] == nil { add("-H", "Expect:") }
  }

  private mutating func addContent(of request: Request, _ options: Options) {
    guard sendsContent(request, options) else { return }
    switch options.content {
    case .file(let path): add("--data-binary", "@\(path)")
    case .parts(let fields):
      for field in fields {
        switch field.content {
        case .text(let text): add("--form-string", "\(field.name)=\(shown(text, options))")
        case .file(let path): add("-F", "\(field.name)=@\(Self.formPath(path))")
        }
      }
    case .body:
      let text = String(decoding: request.body.bytes ?? [], as: UTF8.self)
      add("--data-raw", text.isEmpty ? "" : shown(text, options))
    }
  }

  private mutating func shown(_ text: String, _ options: Options) -> String {
    guard !options.showsSecrets else { return text }
    hiddenCount += 1
    return Self.mark
  }

  private mutating func addURL(of request: Request, _ redaction: Redaction, _ options: Options) {
    let head = request.head
    let url = "\(head.scheme ?? "https")://\(head.authority ?? "")\(head.path ?? "/")"
    let shown = options.showsSecrets ? url : Self.marked(redaction.url(url))
    if shown != url { hiddenCount += 1 }
    // Without these options curl expands brackets and braces, and normalizes `/../`.
    if shown.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
    if shown.contains("/.") { words.append("--path-as-is") }
    // As the value of an option it is no option itself.
    add("--url", shown)
  }

  private func sendsContent(_ request: Request, _ options: Options) -> Bool {
    guard request.head.method != .head else { return false }
    return options.content != .body || request.body.length != 0
      || [.post, .put, .patch].contains(request.head.method)
  }

  private static func value(of field: HTTPField, _ redaction: Redaction) -> String {
    guard Redaction.harmlessHeaders.contains(field.name) else { return mark }
    let containsURL = ["location", "content-location", "referer"].contains(field.name.canonicalName)
    return containsURL ? marked(redaction.url(field.value)) : field.value
  }

  /// Replaces the mark of the redaction by one that is legal in a URL.
  private static func marked(_ text: String) -> String { text.replacing("██", with: mark) }

  /// The host in lowercase, and the port that the URL has or its scheme implies.
  private static func hostAndPort(of request: Request) -> (host: String, port: String) {
    var authority = (request.head.authority ?? "").lowercased()
    if let at = authority.lastIndex(of: "@") { authority.removeSubrange(...at) }
    let standard = request.head.scheme?.lowercased() == "http" ? "80" : "443"
    guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else {
      return (authority, standard)
    }
    let port = authority[authority.index(after: colon)...]
    return (String(authority[..<colon]), port.isEmpty ? standard : String(port))
  }

  /// Whether an address of `--resolve` names a port of its own.
  private static func hasPort(_ address: String) -> Bool {
    address.hasPrefix("[") ? address.contains("]:") : address.count { $0 == ":" } == 1
  }

  private static func bracketed(_ address: String) -> String {
    address.contains(":") && !address.hasPrefix("[") ? "[\(address)]" : address
  }

  /// A path in quotes, within which curl takes commas and semicolons as they are.
  private static func formPath(_ path: String) -> String {
    "\"" + path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func seconds(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : Figures.decimals(value, 3)
  }
}
