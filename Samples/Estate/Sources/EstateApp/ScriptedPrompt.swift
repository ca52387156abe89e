public import Account
import Synchronization

/// Answers the login by a script, for the tour.
public final class ScriptedPrompt: CredentialPrompt {
  private let answers: Mutex<[Credentials?]>

  /// Makes a prompt that gives these answers in order, and none afterwards.
  public init(_ answers: [Credentials?]) { self.answers = Mutex(answers) }

  /// Returns the next answer.
  public func credentials() async -> Credentials? {
    answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
