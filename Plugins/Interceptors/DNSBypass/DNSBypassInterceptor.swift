import HTTPTypes
public import Interception
import Synchronization

/// Connects to addresses from the app's own table instead of asking the system's DNS.
///
/// The URL is never rewritten: `Host`, SNI and certificate verification still use the host name; only
/// `context.connectTarget` determines where to connect. Connect times are measured on regular transfers, and
/// the fastest known address is preferred. If no connection can be made, so that no byte was sent, the next
/// address is tried, and finally the system's DNS. If that fails too, the error lists each address and its
/// cause. A request that may have reached a server is never sent again here; that is left to a retry
/// interceptor.
///
/// Hosts that are not in the table are unaffected, as are requests that already have a `connectTarget`. The
/// table also applies to redirects, because each hop is a request of its own.
///
/// Use it if the system's DNS is slow, poisoned or returns distant servers. Don't use it behind a proxy,
/// which resolves host names itself.
public final class DNSBypassInterceptor: Interceptor {
  private struct State {
    var table: AddressTable
    var rankings: [HostName: AddressRanking] = [:]

    mutating func update(_ table: AddressTable) {
      self.table = table
      for name in rankings.keys {
        let addresses = table.addresses(of: name)
        if addresses.isEmpty { rankings[name] = nil } else { rankings[name]?.adopt(addresses) }
      }
    }

    mutating func withRanking<Result>(of name: HostName, _ work: (inout AddressRanking) -> Result) -> Result {
      if let index = rankings.index(forKey: name) { return work(&rankings.values[index]) }
      let addresses = table.addresses(of: name)
      guard !addresses.isEmpty else {
        // The host was removed from the table while a request to it was in flight.
        var unknown = AddressRanking([])
        return work(&unknown)
      }
      return work(&rankings[name, default: AddressRanking(addresses)])
    }
  }

  /// At stage `routing`, over a dispatcher that can connect to a given address.
  public let traits = InterceptorTraits(
    stage: .routing, callsNext: .anyNumber, requires: [.dispatcher(.connectTarget)])
  private let state: Mutex<State>
  private let connectLimit: Duration
  private let attemptLimit: Int
  private let time: TimeSource

  /// Creates a bypass with a table, which ``update(_:)`` can replace later.
  ///
  /// - Parameters:
  ///   - connectLimit: The maximum time to connect to an address, TLS handshake included, before the next one
  ///     is tried; 3 s. It lowers the request's own limit, which still applies to the system's DNS.
  ///   - attemptLimit: The maximum number of addresses per request, before the system's DNS; 4.
  ///   - time: The clock that determines when circuit breakers close.
  public init(
    _ table: AddressTable, connectLimit: Duration = .seconds(3), attemptLimit: Int = 4,
    time: TimeSource = .system
  ) {
    state = Mutex(State(table: table))
    self.connectLimit = max(.milliseconds(1), connectLimit)
    self.attemptLimit = max(1, attemptLimit)
    self.time = time
  }

  /// The table in use.
  public var table: AddressTable { state.withLock { $0.table } }

  /// Replaces the table.
  ///
  /// Measurements of the remaining addresses are kept. Requests in flight are not affected.
  public func update(_ table: AddressTable) { state.withLock { $0.update(table) } }

  /// Returns what is known about each address of a host, in the table's order; empty before the host's first
  /// use.
  public func statuses(of authority: String, scheme: String = "https") -> [AddressStatus] {
    let now = time.now()
    return state.withLock { state in
      state.table.name(for: authority, scheme: scheme).flatMap { state.rankings[$0]?.statuses(at: now) }
        ?? []
    }
  }

  /// Sends a request to the best address of its host, and to the next ones if no connection can be made.
  ///
  /// - Throws: The error of the last attempt. If no connection could be made at all, an error of that kind
  ///   with an underlying ``BypassError``; if the system's DNS doesn't know the name, the kind is that of
  ///   the last address.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard request.connectTarget == nil, let authority = request.head.authority,
      let name = state.withLock({ $0.table.name(for: authority, scheme: request.head.scheme ?? "") })
    else { return try await next.dispatch(request) }

    var attempts: [BypassError.Attempt] = []
    var blamed: [ConnectTarget] = []
    while attempts.count < attemptLimit, let target = choose(name, butNot: attempts.compactMap(\.target)) {
      do throws(NetworkError) {
        let response = try await next.dispatch(limited(request, to: target))
        noteSuccess(of: target, of: name, response.transport)
        return response
      } catch {
        guard Self.isUnconnected(error) else { throw Self.unmasked(error, after: attempts) }
        attempts.append(BypassError.Attempt(target: target, error: error))
        if noteFailure(of: target, of: name) { blamed.append(target) }
      }
    }
    do throws(NetworkError) {
      return try await next.dispatch(request)
    } catch {
      guard Self.isUnconnected(error, bySystem: true) else { throw Self.unmasked(error, after: attempts) }
      // If nothing can be reached, the network is down, and no address is to blame.
      retractFailure(blamed, of: name)
      // The system's DNS doesn't know names that exist only in the table; the error of their addresses is
      // more useful.
      let cause = error.kind == .resolve ? attempts.last?.error ?? error : error
      attempts.append(BypassError.Attempt(target: nil, error: error))
      let failure = BypassError(host: authority, attempts: attempts + untried(name, but: attempts))
      throw failure.networkError(cause.kind, attempt: error.attempt)
    }
  }

  private func limited(_ request: Request, to target: ConnectTarget) -> Request {
    var request = request
    request.context.connectTarget = target
    lower(&request.options.timeouts.connect)
    return request
  }

  /// Lowers a time limit to that of an address.
  private func lower(_ limit: inout Duration?) { limit = min(limit ?? connectLimit, connectLimit) }

  /// Whether no connection was made over which the request could have been sent.
  private static func isUnconnected(_ error: NetworkError, bySystem: Bool = false) -> Bool {
    guard !error.requestMayHaveBeenProcessed else { return false }
    switch error.kind {
    case .connect, .timeout(.connect), .tls(.nameMismatch): return true
    case .resolve, .offline: return bySystem
    default: return false
    }
  }

  /// Returns the error that caused a second attempt, if that attempt failed only because the body can't be
  /// read twice.
  private static func unmasked(_ error: NetworkError, after attempts: [BypassError.Attempt]) -> NetworkError {
    guard error.kind == .bodyNotReplayable, let cause = attempts.last?.error else { return error }
    return cause
  }

  private func choose(_ name: HostName, butNot tried: [ConnectTarget]) -> ConnectTarget? {
    let now = time.now()
    return state.withLock { $0.withRanking(of: name) { $0.choose(butNot: tried, at: now) } }
  }

  private func noteSuccess(of target: ConnectTarget, of name: HostName, _ transport: TransportReport?) {
    let isNew = transport.map { !$0.connectionWasReused } ?? false
    let connectTime = isNew ? transport?.phases.connect : nil
    state.withLock { $0.withRanking(of: name) { $0.noteSuccess(of: target, connectTime: connectTime) } }
  }

  private func noteFailure(of target: ConnectTarget, of name: HostName) -> Bool {
    let now = time.now()
    return state.withLock { $0.withRanking(of: name) { $0.noteFailure(of: target, at: now) } }
  }

  private func retractFailure(_ targets: [ConnectTarget], of name: HostName) {
    state.withLock { state in
      for target in targets { state.withRanking(of: name) { $0.retractFailure(target) } }
    }
  }

  private func untried(_ name: HostName, but attempts: [BypassError.Attempt]) -> [BypassError.Attempt] {
    let addresses = state.withLock { $0.table.addresses(of: name) }
    return addresses.filter { address in !attempts.contains { $0.target == address } }
      .map { BypassError.Attempt(target: $0, error: nil) }
  }
}
