/// What every library ends up asking of the app it runs in.
///
/// An app implements what it has an answer to; the rest answers safely. For a question of your own choose
/// `HostQuestion`. Asked anew each time, so answers may change while the app runs; keep them quick.
public protocol HostAnswers: Sendable {
  /// Whether the network can be reached; by default true, because not knowing is no reason not to try.
  var isReachable: Bool { get }
  /// Whether to log; by default false, because logs may carry what is private.
  var isLogging: Bool { get }
  /// A limit of a name, such as the bytes of a cache; by default nil, which lets the asker's own hold.
  func limit(_ name: String) -> Int?
  /// The bytes of a secret key of a name; by default nil, which must end in a refusal, never in an empty key.
  func key(_ name: String) -> [UInt8]?
  /// Where to keep the file of a name; by default nil, which is nowhere.
  func filePath(_ name: String) -> String?
}

extension HostAnswers {
  /// Not knowing is no reason not to try.
  public var isReachable: Bool { true }
  /// Nothing is logged.
  public var isLogging: Bool { false }
  /// The asker's own limit holds.
  public func limit(_ name: String) -> Int? { nil }
  /// There is no key.
  public func key(_ name: String) -> [UInt8]? { nil }
  /// There is no file.
  public func filePath(_ name: String) -> String? { nil }
}

/// The question to which `HostAnswers` is the answer.
public enum HostAnswersKey: HostQuestion {
  /// Any type of the app's.
  public typealias Value = any HostAnswers
  /// Every answer is the default one.
  public static var safeAnswer: any HostAnswers { SilentHost() }

  private struct SilentHost: HostAnswers {}
}

extension RouteEnvironment {
  /// A copy with the app's answers.
  public func answering(_ answers: any HostAnswers) -> RouteEnvironment {
    setting(HostAnswersKey.self, to: answers)
  }
}

extension RouteContext {
  /// The app's answers, or the safe ones.
  public var host: any HostAnswers { answer(to: HostAnswersKey.self) }
}

extension Mediator {
  /// The app's answers, or the safe ones.
  public var host: any HostAnswers { answer(to: HostAnswersKey.self) }
}
