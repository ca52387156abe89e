extension Mediator {
  /// Returns a guard's verdict; throws `overdue` if the guard exceeds its deadline.
  func decision(
    of candidate: any RouteGuard, on target: RouteSummary, _ context: RouteContext
  ) async throws -> GuardVerdict {
    guard let limit = candidate.deadline else { return try await candidate.check(target, context) }
    let race = DeadlineRace<GuardVerdict>()
    return try await race.run {
      try await candidate.check(target, context)
    } against: { [clock] in
      try await clock.sleep(for: limit)
      throw RouteError.overdue(by: candidate.id, limit: limit)
    }
  }
}
