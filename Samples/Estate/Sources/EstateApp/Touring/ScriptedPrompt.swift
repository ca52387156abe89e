public import Account
import Synchronization

/// Answers login prompts from a list, for the tour.
public final class ScriptedPrompt: CredentialPrompt {
  private let answers: Mutex<[Credentials?]>

  /// Creates a prompt that returns these answers in order, and `nil` afterwards.
  public init(_ answers: [Credentials?]) { self.answers = Mutex(answers) }

  /// Returns the next answer.
  public func credentials() async -> Credentials? {
    answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
