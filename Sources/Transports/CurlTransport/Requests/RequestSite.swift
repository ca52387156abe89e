import HTTPTypes
import Interception
import Synchronization

/// What all requests to one site share: where they go, and the header lines that they begin with.
final class RequestSite: Sendable {
  /// The maximum number of bytes of the path of a Unix domain socket on Linux (`sun_path`).
  private static let maximumSocketPath = 107

  private let scheme: String?
  /// Host and port as written.
  private let writtenAuthority: String
  let hostLine: HeaderBlock
  /// Host and port as they are sent: as written, without the zone of an address (RFC 6874, section 4).
  let authority: String
  /// The header lines of a request that has neither fields of its own nor a body.
  let bareLines: HeaderBlock
  let origin: WebOrigin
  let options: OriginOptions
  // Requests in a row connect to the same address.
  private let latestConnectLine = Mutex<(target: ConnectTarget, line: HeaderBlock)?>(nil)

  init(
    _ head: HTTPRequest, configuration: CurlDispatcher.Configuration, _ tables: HostTables
  ) throws(NetworkError) {
    scheme = head.scheme
    let written = head.authority ?? ""
    writtenAuthority = written
    var origin = try RequestTarget.origin(of: head)
    authority = RequestTarget.withoutZone(written)
    // swift-http-types would replace such a character by a space, and trim the value.
    guard configuration.userAgent.map(HTTPField.isValidValue) ?? true else {
      throw .invalidRequest(
        "CurlDispatcher.Configuration(userAgent:) holds a control character, or white space at an end; remove it."
      )
    }
    // libcurl gets the zone as URLs have it, whatever the form that was written.
    let place = authority == written ? written : "\(origin.host):\(origin.port)"
    options = OriginOptions(origin, authority: place, configuration: configuration, tables)
    origin.hasPriorKnowledge = options.hasPriorKnowledge
    self.origin = origin
    if let path = options.socket,
      !(1...Self.maximumSocketPath).contains(path.utf8.count) || path.contains("\0")
    {
      throw .invalidRequest(
        "The socket of \(origin.host) in ConnectionPolicy(sockets:) has a path of \(path.utf8.count) bytes, or a "
          + "NUL byte in it; name one of 1 to \(Self.maximumSocketPath) bytes.")
    }
    var host = HeaderBlock()
    // libcurl's own line would lack a default port that the caller wrote. The authority was checked byte by
    // byte.
    host.appendLine("Host: ", authority)
    hostLine = host
    bareLines = try RequestPlan.complete(host, userAgent: configuration.userAgent)
  }

  /// Returns the line by which libcurl connects to an address instead of the host.
  func connectLine(to target: ConnectTarget) throws(NetworkError) -> HeaderBlock {
    if let latest = latestConnectLine.withLock({ $0 }), latest.target == target { return latest.line }
    let line = try makeConnectLine(to: target)
    latestConnectLine.withLock { $0 = (target, line) }
    return line
  }

  /// Returns the line by which libcurl connects to another port of the host.
  func connectLine(toPort port: Int) -> HeaderBlock {
    let host = RequestTarget.withoutZone(origin.host)
    var block = HeaderBlock()
    block.appendLine("\(host):\(origin.port):\(host):\(port)")
    return block
  }

  private func makeConnectLine(to target: ConnectTarget) throws(NetworkError) -> HeaderBlock {
    let address: ScopedAddress
    do throws(ScopedAddress.Fault) { address = try ScopedAddress(target.address) } catch {
      let fault = error == .noAddress ? "is not an IP address; name one." : "\(error)"
      throw .invalidRequest("The connect target \"\(target.address.printable)\" \(fault)")
    }
    let port = target.port ?? origin.port
    guard (1...65535).contains(port) else {
      throw .invalidRequest("The connect target's port \(port) is not from 1 to 65535.")
    }
    // libcurl has the system parse the address, which does not decode the percent sign before a zone.
    let text = address.address.isVersion6 ? "[\(address)]" : "\(address)"
    var block = HeaderBlock()
    block.appendLine("\(RequestTarget.withoutZone(origin.host)):\(origin.port):\(text):\(port)")
    return block
  }

  /// Whether the authority and the scheme of a request are written in the same way.
  func isSite(of head: HTTPRequest) -> Bool {
    writtenAuthority == head.authority && scheme == head.scheme
  }
}

extension RequestSite: Equatable {
  /// Whether the options of both are equal; successive requests usually share one site.
  static func == (first: RequestSite, second: RequestSite) -> Bool {
    first === second || first.options == second.options
  }
}

/// The site of the previous request: an app sends many requests to one site in a row.
final class SiteCache: Sendable {
  let configuration: CurlDispatcher.Configuration
  private let tables: Result<HostTables, NetworkError>
  private let latest = Mutex<RequestSite?>(nil)

  init(_ configuration: CurlDispatcher.Configuration) {
    self.configuration = configuration
    do throws(NetworkError) {
      tables = .success(try HostTables(configuration))
    } catch {
      tables = .failure(error)
    }
  }

  func site(of head: HTTPRequest) throws(NetworkError) -> RequestSite {
    if let known = latest.withLock({ $0 }), known.isSite(of: head) { return known }
    let site = try RequestSite(head, configuration: configuration, tables.get())
    try site.options.proxy?.check()
    latest.withLock { $0 = site }
    return site
  }
}
