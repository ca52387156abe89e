import Foundation

/// A proxy on the loopback network: HTTP with tunnels and absolute targets, or SOCKS5.
///
/// Every host name resolves to 127.0.0.1, so a request that reaches its server shows that the proxy resolved
/// the name. Releasing the proxy stops it.
public final class ProxyServer: Sendable {
  /// The protocol of the proxy.
  public enum Dialect: Sendable {
    /// HTTP/1.1.
    case http
    /// SOCKS version 5.
    case socks5
  }

  /// A request of a client to the proxy.
  public struct Sighting: Sendable, Hashable {
    /// The method, or `SOCKS5`.
    public let method: String
    /// The target as written; for SOCKS5, the host and port.
    public let target: String
    /// Whether the request has credentials.
    public let hasCredentials: Bool

    /// Creates a sighting for comparison.
    public init(method: String, target: String, hasCredentials: Bool) {
      self.method = method
      self.target = target
      self.hasCredentials = hasCredentials
    }
  }

  private let dialect: Dialect
  private let credentials: String?
  private let refusal: Int?
  private let listener: CInt
  /// The port that the proxy listens on.
  public let port: Int
  /// The requests so far.
  public let sightings = Watched<[Sighting]>([])
  private let wires = Watched<[WireConnection]>([])

  /// Starts a proxy.
  ///
  /// - Parameters:
  ///   - credentials: The required `user:password`; nil if none are required.
  ///   - refusal: The HTTP status or SOCKS5 code with which to refuse every request.
  public init(_ dialect: Dialect, credentials: String? = nil, refusal: Int? = nil) throws {
    self.dialect = dialect
    self.credentials = credentials
    self.refusal = refusal
    (listener, port) = try LoopbackSocket.bound(to: "127.0.0.1", port: 0)
    guard listen(listener, 64) == 0 else { throw LoopbackError("listen") }
    let (listener, serve) = (listener, serving())
    Thread.detachNewThread {
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        serve(WireConnection(descriptor: descriptor, number: 1))
      }
    }
  }

  deinit {
    shutdown(listener, CInt(SHUT_RDWR))
    for wire in wires.value { wire.interrupt() }
  }

  // The accepting thread must not retain the proxy.
  private func serving() -> @Sendable (WireConnection) -> Void {
    let session = ProxySession(
      dialect: dialect, credentials: credentials, refusal: refusal, sightings: sightings, wires: wires)
    return { wire in
      session.wires.update { $0.append(wire) }
      Thread.detachNewThread {
        try? session.serve(wire)
        wire.close()
      }
    }
  }
}

/// The handling of one connection by a proxy.
struct ProxySession: Sendable {
  let dialect: ProxyServer.Dialect
  let credentials: String?
  let refusal: Int?
  let sightings: Watched<[ProxyServer.Sighting]>
  let wires: Watched<[WireConnection]>

  func serve(_ wire: WireConnection) throws {
    switch dialect {
    case .http: try serveHTTP(wire)
    case .socks5: try serveSOCKS(wire)
    }
  }

  private func serveHTTP(_ wire: WireConnection) throws {
    guard let request = try wire.readHead() else { return }
    let given = request.value(of: "Proxy-Authorization")
    sightings.update {
      $0.append(.init(method: request.method, target: request.target, hasCredentials: given != nil))
    }
    if let credentials, given != "Basic " + Data(credentials.utf8).base64EncodedString() {
      return try wire.send(
        "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
      )
    }
    if let refusal { return try wire.send("HTTP/1.1 \(refusal) No\r\nContent-Length: 0\r\n\r\n") }
    if request.method == "CONNECT" {
      let upstream = try connect(port: Int(request.target.split(separator: ":").last ?? "") ?? 0)
      try wire.send("HTTP/1.1 200 Connection established\r\nX-Proxy: tunnel\r\n\r\n")
      return relay(wire, upstream)
    }
    guard let url = URL(string: request.target) else { return }
    let upstream = try connect(port: url.port ?? 80)
    var head = "\(request.method) \(url.path.isEmpty ? "/" : url.path) HTTP/1.1\r\nConnection: close\r\n"
    for field in request.fields where !field.name.lowercased().hasPrefix("proxy-") {
      head += "\(field.name): \(field.value)\r\n"
    }
    try upstream.send(head + "\r\n")
    relay(wire, upstream)
  }

  private func serveSOCKS(_ wire: WireConnection) throws {
    let greeting = try wire.take(2)
    let methods = try wire.take(Int(greeting[1]))
    let wanted: UInt8 = credentials == nil ? 0 : 2
    guard methods.contains(wanted) else { return try wire.send([5, 0xFF]) }
    try wire.send([5, wanted])
    if let credentials {
      let user = try wire.take(Int(try wire.take(2)[1]))
      let password = try wire.take(Int(try wire.take(1)[0]))
      let isRight = user + Array(":".utf8) + password == Array(credentials.utf8)
      try wire.send([1, isRight ? 0 : 1])
      guard isRight else { return }
    }
    let kind = try wire.take(4)[3]
    let host: String
    switch kind {
    case 1: host = try wire.take(4).map(String.init).joined(separator: ".")
    case 3: host = String(decoding: try wire.take(Int(try wire.take(1)[0])), as: UTF8.self)
    default: return
    }
    let port = try wire.take(2).reduce(0) { $0 << 8 | Int($1) }
    sightings.update {
      $0.append(.init(method: "SOCKS5", target: "\(host):\(port)", hasCredentials: credentials != nil))
    }
    try wire.send([5, UInt8(refusal ?? 0), 0, 1, 0, 0, 0, 0, 0, 0])
    guard refusal == nil else { return }
    relay(wire, try connect(port: port))
  }

  private func connect(port: Int) throws -> WireConnection {
    guard let descriptor = try LoopbackSocket.connected(to: "127.0.0.1", port: port) else {
      throw WireConnection.Closed()
    }
    let wire = WireConnection(descriptor: descriptor, number: 0)
    wires.update { $0.append(wire) }
    return wire
  }

  private func relay(_ client: WireConnection, _ server: WireConnection) {
    let isOver = Gate()
    Thread.detachNewThread {
      copy(from: client, to: server)
      isOver.open()
    }
    copy(from: server, to: client)
    isOver.wait()
    server.close()
  }

  private func copy(from source: WireConnection, to target: WireConnection) {
    while let bytes = try? source.read(), (try? target.send(bytes)) != nil {}
    target.interrupt()
    source.interrupt()
  }
}

extension WireConnection {
  /// Reads a number of bytes.
  fileprivate func take(_ count: Int) throws -> [UInt8] {
    var taken: [UInt8] = []
    while taken.count < count {
      guard let bytes = try read() else { throw Closed() }
      taken += bytes
    }
    putBack(taken[count...])
    return Array(taken[..<count])
  }
}
