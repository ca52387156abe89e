/// An environment key with a safe default.
///
/// Use it for what a module can do without (a log switch, a limit). Use `RouteEnvironmentKey` alone for what
/// a module requires, so that a missing value is a fault at startup.
public protocol HostQuestion: RouteEnvironmentKey {
  /// The value if the app sets none: the one that can do the least harm.
  static var safeAnswer: Value { get }
}

extension HostQuestion {
  /// Not shown, because a question without an answer is not a fault.
  public static var remedy: String { "put an answer into the environment" }
}

extension RouteEnvironment {
  /// Returns the app's answer, or the safe default.
  public func answer<Question: HostQuestion>(to question: Question.Type) -> Question.Value {
    self[question] ?? question.safeAnswer
  }
}

extension Mediator {
  /// Returns the app's answer, or the safe default.
  public func answer<Question: HostQuestion>(to question: Question.Type) -> Question.Value {
    environment.answer(to: question)
  }
}

extension RouteContext {
  /// Returns the app's answer, or the safe default.
  public func answer<Question: HostQuestion>(to question: Question.Type) -> Question.Value {
    mediator.answer(to: question)
  }
}
