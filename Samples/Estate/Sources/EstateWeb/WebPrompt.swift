public import Account

/// Asks for name and password by a form of the page.
@MainActor public final class WebPrompt: CredentialPrompt {
  private var waiters: [CheckedContinuation<Credentials?, Never>] = []
  /// Called when somebody begins to wait for the form.
  var onAsking: () -> Void = {}

  /// Makes a prompt.
  public init() {}

  /// Whether the form is to be shown.
  var isAsking: Bool { !waiters.isEmpty }

  /// Waits for the form; nil if the user would rather not log in.
  nonisolated public func credentials() async -> Credentials? { await ask() }

  private func ask() async -> Credentials? {
    await withCheckedContinuation { continuation in
      waiters.append(continuation)
      onAsking()
    }
  }

  /// Answers whoever waits.
  func answer(_ credentials: Credentials?) {
    let all = waiters
    waiters = []
    for waiter in all { waiter.resume(returning: credentials) }
  }
}
