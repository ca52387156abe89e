import Interception
import Synchronization

extension Inspector {
  /// Serves the page on a port of 127.0.0.1, and returns its address.
  ///
  /// Nothing but this machine reaches the port, and the address has a token of 128 random bits, so that other
  /// users and web sites can't read the page. Keep the address secret.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for any free one.
  ///   - token: The token, at least 32 letters, digits, `-` and `_`, for an address that stays the same over
  ///     a restart; nil for a new one.
  ///   - inRelease: Whether the page is also served by a release build. The calls that it shows are those of
  ///     a real user there.
  /// - Returns: The page's address.
  /// - Throws: ``InspectorError``.
  @discardableResult
  public func serve(
    port: UInt16 = 0, token: String? = nil, inRelease: Bool = false
  ) async throws(InspectorError) -> String {
    #if DEBUG
    let isRelease = false
    #else
    let isRelease = true
    #endif
    return try serve(port: port, token: token, isPermitted: inRelease || !isRelease)
  }

  func serve(
    port: UInt16, token: String?, isPermitted: Bool, limits: PageConnection.Limits = .init()
  ) throws(InspectorError) -> String {
    guard isPermitted else { throw InspectorError(.releaseBuild) }
    if let token {
      let isLegal = token.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
      guard isLegal, token.utf8.count >= 32 else { throw InspectorError(.weakToken) }
    }
    let answers = PageAnswers(
      app: app, run: run, shown: shown, log: log, timeline: timeline, replaying: replaying,
      circuits: circuits, intervening: intervening)
    let server = try PageServer(port: port, token: token, answers: answers, limits: limits)
    serving.withLock { $0.servers.append(server) }
    intervening.calls.serve(true)
    return server.access.url
  }

  /// Stops serving, lets paused calls continue, and returns when no thread, connection or task is left, and
  /// the calls that have ended are in their file; recording continues.
  public func stop() async {
    for server in serving.withLock({ $0.removeAll() }) { await server.stopped() }
    intervening.calls.serve(false)
    await replaying.cancel()
    await log.keeper?.flush()
  }

  /// The servers of the page.
  struct Serving {
    var servers: [PageServer] = []

    mutating func removeAll() -> [PageServer] {
      defer { servers = [] }
      return servers
    }
  }
}
