import Interception

// Sends a request by several attempts to connect at once, of which the first one connected sends it.
extension DNSBypassInterceptor {
  private enum Event: Sendable {
    case ended(Int, Result<Response, NetworkError>)
    case delayPassed(round: Int)
    case interrupted
  }

  /// Connects to the host's addresses and finally by the system's DNS, and sends the request once.
  func race(_ pending: PendingRequest, next: some Dispatcher) async throws(NetworkError) -> Response {
    let isRacing = next.capabilities.contains(.connectRacing)
    let targets = pending.host.candidates(
      after: pending.failures, limit: attemptLimit, retriesSilent: isRacing, at: time.now())
    let (result, isProbeDue) = await withTaskGroup(of: Event.self) { group in
      var progress = RaceProgress(pending, targets: targets, delay: isRacing ? attemptDelay : nil)
      var actions = progress.race.begin()
      while true {
        for action in actions {
          switch action {
          case .start(let number):
            // The system's DNS is next.
            if number == targets.count { exhaustion.send() }
            let request = progress.request(number, at: time.now())
            group.addTask {
              do throws(NetworkError) {
                return .ended(number, .success(try await next.dispatch(request)))
              } catch {
                return .ended(number, .failure(error))
              }
            }
          case .wait(let delay, let round):
            group.addTask { [time] in
              do {
                try await time.sleep(for: delay)
                return .delayPassed(round: round)
              } catch {
                return .interrupted
              }
            }
          }
        }
        actions = []
        switch await group.next() {
        case .ended(let number, .success(let response)):
          group.cancelAll()
          progress.succeed(number, response.transport, at: time.now())
          return (Result<Response, NetworkError>.success(response), progress.isProbeDue(at: time.now()))
        case .ended(let number, .failure(let error)):
          actions = progress.fail(number, error, at: time.now())
        case .delayPassed(let round): actions = progress.delayPassed(round)
        case .interrupted: break
        case nil: return (.failure(progress.failure), false)
        }
        if progress.isOver {
          group.cancelAll()
          return (.failure(progress.failure), progress.isProbeDue(at: time.now()))
        }
      }
    }
    if isProbeDue { probe([pending.host]) }
    return try result.get()
  }
}

extension Request {
  /// Lowers the time limit for connecting.
  mutating func lowerConnectLimit(to limit: Duration) {
    options.timeouts.connect = min(options.timeouts.connect ?? limit, limit)
  }

  /// Shortens the limits that began with the first attempt.
  mutating func shortenLimits(by elapsed: Duration) {
    guard elapsed > .zero else { return }
    func shortened(_ limit: Duration?) -> Duration? { limit.map { max(.milliseconds(1), $0 - elapsed) } }
    options.timeouts.connect = shortened(options.timeouts.connect)
    options.timeouts.whole = shortened(options.timeouts.whole)
  }
}

extension NetworkError {
  /// Whether no connection was made over which the request could have been sent, so that another address may
  /// do; TLS proves the host's identity at each.
  func isUnconnected(bySystem: Bool = false) -> Bool {
    guard !requestMayHaveBeenProcessed else { return false }
    switch kind {
    case .connect, .timeout(.connect), .tls: return true
    case .resolve, .offline: return bySystem
    default: return false
    }
  }

  /// What an address failed at.
  var failureCause: AddressRanking.FailureCause {
    if case .tls = kind { .certificate } else { .connection }
  }
}

/// A request that is not connected yet: to a host that wasn't reached recently, or whose best address has
/// just failed.
struct PendingRequest: Sendable {
  let request: Request
  let authority: String
  let host: KnownHost
  /// The number of the host's network when the request was intercepted.
  let network: UInt64
  /// When the request was intercepted.
  let start: Duration
  /// The attempts that failed.
  var failures: [BypassError.Attempt] = []
  /// The addresses whose circuit breakers its attempts have opened.
  var blamed: [ConnectTarget] = []
}
