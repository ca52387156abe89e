/// Settings that libraries commonly need from the app that embeds them.
///
/// An app implements the members it has answers for; the others have safe defaults. For other questions use
/// `HostQuestion`. Members are read anew each time, so the answers may change while the app runs; keep them
/// fast.
public protocol HostAnswers: Sendable {
  /// Whether the network is reachable; true by default, because an unknown state is no reason not to try.
  var isReachable: Bool { get }
  /// Whether logging is enabled; false by default, because logs may contain private data.
  var isLogging: Bool { get }
  /// A named limit, such as the size of a cache in bytes; nil by default, which keeps the library's own
  /// limit.
  func limit(_ name: String) -> Int?
  /// The bytes of a named secret key; nil by default, which must lead to a refusal, never to an empty key.
  func key(_ name: String) -> [UInt8]?
  /// The path of a named file; nil by default, which means that the file is not stored.
  func filePath(_ name: String) -> String?
}

extension HostAnswers {
  /// True, because an unknown state is no reason not to try.
  public var isReachable: Bool { true }
  /// False: nothing is logged.
  public var isLogging: Bool { false }
  /// Nil: the library's own limit applies.
  public func limit(_ name: String) -> Int? { nil }
  /// Nil: there is no key.
  public func key(_ name: String) -> [UInt8]? { nil }
  /// Nil: there is no file.
  public func filePath(_ name: String) -> String? { nil }
}

/// The environment key of the app's `HostAnswers`.
public enum HostAnswersKey: HostQuestion {
  /// Any type that the app defines.
  public typealias Value = any HostAnswers
  /// Answers in which every member has its default.
  public static var safeAnswer: any HostAnswers { SilentHost() }

  private struct SilentHost: HostAnswers {}
}

extension RouteEnvironment {
  /// Returns a copy with the app's answers.
  public func answering(_ answers: any HostAnswers) -> RouteEnvironment {
    setting(HostAnswersKey.self, to: answers)
  }
}

extension RouteContext {
  /// The app's answers, or the defaults.
  public var host: any HostAnswers { answer(to: HostAnswersKey.self) }
}

extension Mediator {
  /// The app's answers, or the defaults.
  public var host: any HostAnswers { answer(to: HostAnswersKey.self) }
}
