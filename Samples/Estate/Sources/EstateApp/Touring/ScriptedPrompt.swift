package import Account
import Synchronization

/// Answers login prompts from a list, for the tour.
package final class ScriptedPrompt: CredentialPrompt {
  private let answers: Mutex<[MemberCredentials?]>
  private let next: (any CredentialPrompt)?

  /// Creates a prompt that returns these answers in order.
  ///
  /// - Parameter next: Asked after the last of them; by default the answer is then `nil`.
  package init(_ answers: [MemberCredentials?], then next: (any CredentialPrompt)? = nil) {
    self.answers = Mutex(answers)
    self.next = next
  }

  package func skip() { answers.withLock { $0 = [] } }

  package func credentials() async -> MemberCredentials? {
    let answer = answers.withLock { answers -> MemberCredentials?? in
      answers.isEmpty ? nil : .some(answers.removeFirst())
    }
    if let answer { return answer }
    return await next?.credentials()
  }
}
