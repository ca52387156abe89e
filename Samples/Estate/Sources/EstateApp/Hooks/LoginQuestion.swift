import Switchyard

/// Asks for the login when a load has failed because the server no longer knows the session.
///
/// The guard `MembersGuard` asks before a route; this covers a session that ended on the server.
@MainActor final class LoginQuestion {
  /// Ends the session, shows the login, and returns whether a member is logged in; the app sets it once it
  /// has a mediator.
  var ask: @MainActor @Sendable () async -> Bool = { false }
  private let requirement = LoginRequirement()

  /// The hooks of every load, which notice that a login is needed.
  var hooks: any APIHooks { requirement.hooks }

  /// Asks if a load has failed for want of a login, and returns whether a member is logged in; `nil` if none
  /// has.
  func answer() async -> Bool? {
    guard requirement.isRequired else { return nil }
    // Several loads may have failed for the same reason; the user is asked once.
    requirement.fulfill()
    return await ask()
  }
}
