import ArgumentParser
import CurlTransport
import DNSBypass
import Foundation
import HTTPTypes
import Interception
import ToolCommands

/// What every command that sends requests understands.
struct ConnectionOptions: ParsableArguments {
  static let version = "0.1.0"
  static let userAgent = "switchyard/\(version)"

  @Option(
    name: [.customShort("H"), .long],
    help: ArgumentHelp(
      "A header field; @FILE reads one per line, which keeps secrets out of the list of processes.",
      valueName: "name: value"))
  var header: [String] = []

  @Option(help: ArgumentHelp("The addresses of a host, instead of DNS.", valueName: "host:address[,…]"))
  var resolve: [String] = []

  @Option(
    help: ArgumentHelp("A Unix domain socket over which a host is reached.", valueName: "host:path"))
  var unixSocket: [String] = []

  @Option(help: ArgumentHelp("A host that speaks HTTP/2 without TLS.", valueName: "host"))
  var http2Host: [String] = []

  @Flag(help: "Tries HTTP/3 first, and HTTP/2 beside it; fails if the loaded libcurl has no HTTP/3.")
  var http3 = false

  @Option(
    help: ArgumentHelp(
      "A proxy for all requests: http, https, socks5 or socks5h. Credentials in it are seen in the list of processes; --env-proxies reads it from the environment.",
      valueName: "url"))
  var proxy: String?

  @Flag(help: "Uses the proxies of http_proxy, https_proxy, all_proxy and no_proxy.")
  var envProxies = false

  @Option(
    help: ArgumentHelp("The limit of the whole call, with retries and redirects.", valueName: "seconds"))
  var timeout: Double?

  @Option(help: ArgumentHelp("The limit to connect; 10 s by default.", valueName: "seconds"))
  var connectTimeout: Double?

  @Option(
    help: ArgumentHelp(
      "The certificate authorities to trust, in PEM, instead of the system's. Certificates are always verified.",
      valueName: "file"),
    completion: .file(extensions: ["pem", "crt"]))
  var cacert: String?

  func validate() throws {
    guard proxy == nil || !envProxies else {
      throw ValidationError("--proxy and --env-proxies exclude each other.")
    }
    for (name, value) in [("--timeout", timeout), ("--connect-timeout", connectTimeout)] {
      guard let value else { continue }
      guard value > 0, value < 1e7 else {
        throw ValidationError("\(name) must be a number of seconds above 0.")
      }
    }
  }

  /// Returns the interceptor of `--resolve`; nil without one.
  func bypass() throws(ToolFailure) -> DNSBypassInterceptor? {
    guard !resolve.isEmpty else { return nil }
    var arguments: [AddressArgument] = []
    for text in resolve { arguments.append(try AddressArgument(text)) }
    return DNSBypassInterceptor(try AddressArgument.table(of: arguments), isProbing: false)
  }

  /// Returns the dispatcher.
  ///
  /// - Parameter connections: The maximum number of connections to the server.
  func dispatcher(connections: Int = 6) throws(ToolFailure) -> CurlDispatcher {
    if let cacert { try InputFile.check(cacert) }
    return CurlDispatcher(
      configuration: .init(
        limits: .init(
          total: max(connections, 64), perOrigin: connections, streamsPerOrigin: max(connections, 100)),
        tls: TLSPolicy(authorityFile: cacert), proxies: try proxies(),
        connections: .init(
          sockets: try sockets(), priorKnowledge: knownHTTP2Hosts),
        http3: http3 ? .first : .whenAdvertised,
        userAgent: Self.userAgent))
  }

  /// Returns the paths of the Unix domain sockets by their hosts.
  func sockets() throws(ToolFailure) -> [String: String] {
    var sockets: [SocketArgument] = []
    for text in unixSocket { sockets.append(try SocketArgument(text)) }
    return try SocketArgument.paths(of: sockets)
  }

  /// The hosts that speak HTTP/2 without TLS, in lowercase.
  var knownHTTP2Hosts: Set<String> { Set(http2Host.map { $0.lowercased() }) }

  /// Returns what a command line of curl has to know of connections.
  func curlOptions() throws(ToolFailure) -> CurlLine.Options {
    var options = CurlLine.Options()
    (options.timeout, options.connectTimeout) = (timeout, connectTimeout)
    (options.authorityFile, options.proxy) = (cacert, proxy)
    for text in resolve { options.addresses.append(try AddressArgument(text)) }
    for text in unixSocket { options.sockets.append(try SocketArgument(text)) }
    (options.http2Hosts, options.triesHTTP3) = (knownHTTP2Hosts, http3)
    let names = ProcessInfo.processInfo.environment.keys
    options.excludesProxies = !envProxies && names.contains { $0.lowercased().hasSuffix("_proxy") }
    return options
  }

  private func proxies() throws(ToolFailure) -> ProxyPolicy {
    do throws(NetworkError) {
      if envProxies { return try ProxyPolicy.environment(ProcessInfo.processInfo.environment) }
      return try proxy.map { url throws(NetworkError) in ProxyPolicy(try Proxy(url: url)) } ?? .direct
    } catch {
      throw ToolFailure(.usage, envProxies ? error.reason : "--proxy: \(error.reason)")
    }
  }

  /// Sets the header fields and the time limits of a request.
  func apply(to request: inout Request) throws(ToolFailure) {
    try HeaderFields.set(header, in: &request)
    if let timeout { request.options.timeouts.call = .seconds(timeout) }
    if let connectTimeout { request.options.timeouts.connect = .seconds(connectTimeout) }
  }
}

/// The header fields of the command line.
enum HeaderFields {
  /// Sets fields in a request; they replace those that its content brings.
  ///
  /// - Parameter texts: Fields, or names of files with fields after `@`.
  static func set(_ texts: [String], in request: inout Request) throws(ToolFailure) {
    var fields: [HTTPField] = []
    for text in texts {
      if text.utf8.first == UInt8(ascii: "@") {
        fields += try HeaderArgument.fields(inFile: InputFile.text(of: String(text.dropFirst())))
      } else {
        fields.append(try HeaderArgument(text).field)
      }
    }
    for name in Set(fields.map(\.name)) { request.head.headerFields[name] = nil }
    for field in fields { request.head.headerFields.append(field) }
  }
}
