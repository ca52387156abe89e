import APIManagers

/// Asks for the login when a load fails because the server no longer knows the session.
///
/// The guard `MembersGuard` asks before a route; this hook covers a session that ended on the server.
@MainActor final class LoginQuestion: APIHooks {
  /// Ends the session, shows the login, and returns whether a member is logged in; the app sets it once it
  /// has a mediator.
  var ask: @MainActor @Sendable () async -> Bool = { false }
  private var question: Task<Bool, Never>?

  func afterFailure(_ error: APIError, of manager: any APIManaging) {
    // Several loads may fail for the same reason; the user is asked once.
    guard error.kind == .needsLogin, question == nil else { return }
    question = Task { [ask] in await ask() }
  }

  /// Waits for the answer, and returns whether a member is logged in; `nil` if there was no question.
  func answer() async -> Bool? {
    guard let question else { return nil }
    defer { self.question = nil }
    return await question.value
  }
}
