/// Something that modules and libraries ask of the app and that has a safe answer if the app gives none.
///
/// Choose it for what a module can do without (a log switch, a limit); choose `RouteEnvironmentKey` alone for
/// what it cannot, so that its absence is a fault at startup.
public protocol HostQuestion: RouteEnvironmentKey {
  /// The answer if the app gives none: the one that can do the least harm.
  static var safeAnswer: Value { get }
}

extension HostQuestion {
  /// Never shown, because a question that the app does not answer is no fault.
  public static var remedy: String { "put an answer into the environment" }
}

extension RouteEnvironment {
  /// The app's answer, or the safe one.
  public func answer<Question: HostQuestion>(to question: Question.Type) -> Question.Value {
    self[question] ?? question.safeAnswer
  }
}

extension Mediator {
  /// The app's answer, or the safe one.
  public func answer<Question: HostQuestion>(to question: Question.Type) -> Question.Value {
    environment.answer(to: question)
  }
}

extension RouteContext {
  /// The app's answer, or the safe one.
  public func answer<Question: HostQuestion>(to question: Question.Type) -> Question.Value {
    mediator.answer(to: question)
  }
}
