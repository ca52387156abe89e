import HTTPTypes
import Interception

extension Checks {
  /// Which attempts belong together.
  struct AttemptScope: Hashable {
    let life: Int
    let origin: String
  }

  /// A connection is used or made for a request.
  func connects(_ request: Request, by port: NetworkPort) {
    let settings = world.plan.settings
    guard let origin = request.head.authority, origin != TokenServer.origin else { return }
    if request.attempt > settings.attempts, !settings.hasHedging {
      fail(
        .attempts,
        "\(request.head.method) \(origin)\(request.head.path ?? "") is attempt \(request.attempt) of at most "
          + "\(settings.attempts)")
    }
    let scope = AttemptScope(life: port.number, origin: origin)
    let fault = attempts[scope, default: AttemptOracle()].connects(
      request.id, attempt: request.attempt, at: moment())
    guard let fault, settings.hasBreaker, !settings.hasHedging else { return }
    fail(.attempts, "\(request.head.method) \(origin)\(request.head.path ?? ""): \(fault)")
  }

  /// An attempt has ended, before the chain decides on the next one.
  func attemptEnded(_ request: Request, _ result: Result<Response, NetworkError>, by port: NetworkPort) {
    guard let origin = request.head.authority else { return }
    let ending: AttemptOracle.Ending
    switch result {
    case .success(let response):
      switch response.replacedFailure {
      // A stored response in place of a failure, which is that of the attempt.
      case .error(let error): ending = AttemptOracle.Ending(error)
      // Errors, too, may count as successes: a server that fails is one that answers.
      case .response: ending = .response
      case nil where response.isFromStore: return
      case nil: ending = .response
      }
    case .failure(let error): ending = AttemptOracle.Ending(error)
    }
    let scope = AttemptScope(life: port.number, origin: origin)
    attempts[scope, default: AttemptOracle()].ended(request.id, ending, at: moment())
  }

  /// Checks that the retries of each life stayed within its budget.
  func checkBudgets() {
    guard world.plan.settings.hasBudget, !world.plan.settings.hasHedging else { return }
    for oracle in attempts.values {
      if let fault = oracle.budgetFault() { fail(.attempts, fault) }
    }
  }
}

extension AttemptOracle.Ending {
  fileprivate init(_ error: NetworkError) {
    switch error.kind {
    case _ where error.preventedDeparture: self = .unsent
    case .connect, .timeout(.connect): self = .noConnection
    case .offline: self = .unsent
    default: self = .other
    }
  }
}

extension Response {
  /// Whether nothing of the response is from a server.
  fileprivate var isFromStore: Bool {
    switch exchange.cache {
    case .hit, .staleOnError: true
    default: false
    }
  }
}
