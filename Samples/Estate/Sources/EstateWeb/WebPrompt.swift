package import Account

/// Asks for name and password by a form on the page.
@MainActor package final class WebPrompt: CredentialPrompt {
  private var waiters: [CheckedContinuation<MemberCredentials?, Never>] = []
  /// Called when a task begins to wait for the form.
  var onAsking: () -> Void = {}

  package init() {}

  /// Whether the form should be shown.
  var isAsking: Bool { !waiters.isEmpty }

  /// Whether the form has been shown since a task began to wait for it.
  private(set) var isShown = false

  /// Notes that the page of the login is the top one.
  func noteShown() { isShown = isAsking }

  /// Waits for the form; returns `nil` if the user does not want to log in.
  nonisolated package func credentials() async -> MemberCredentials? { await ask() }

  private func ask() async -> MemberCredentials? {
    await withCheckedContinuation { continuation in
      waiters.append(continuation)
      onAsking()
    }
  }

  /// Resumes all waiting tasks with the credentials.
  func answer(_ credentials: MemberCredentials?) {
    let all = waiters
    waiters = []
    isShown = false
    for waiter in all { waiter.resume(returning: credentials) }
  }
}
