public import Interception
import Synchronization

/// Alters calls by rules: answers, fails, delays or pauses them, or sends them as over a slow network.
///
/// ```swift
/// #if DEBUG
/// let interventions = try InterventionInterceptor(
///   [InterventionRule("Train", .network(.slow3G))], permission: .debugBuildsOnly)
/// #endif
/// ```
///
/// The rules are ``InterventionRules``, in code or in a file. They can be changed at any time, and apply to
/// the requests that follow. With an ``Inspector`` the page shows them, and pauses calls; see
/// ``Inspector/showsInterventions(of:)``.
///
/// Every call that a rule touches is marked, in the inspector and in the lines of a `LoggingInterceptor`. A
/// response that isn't the server's to the original request has the field `Switchyard-Altered-By` with the
/// name of the rule, and `Cache-Control: no-store`. An error names the rule.
///
/// Requests that ask the server to switch protocols, such as those of web sockets, are not altered.
public final class InterventionInterceptor: Interceptor {
  /// The bounds of pauses.
  public struct PauseLimits: Sendable, Hashable {
    /// The maximum number of calls that are paused at a time; others continue unaltered.
    package var count: Int
    /// The maximum time of a pause, after which the call continues unaltered.
    package var duration: Duration
    /// The maximum length of the body of a paused response; a longer one continues unaltered.
    package var bodyBytes: Int

    /// Creates limits.
    public init(count: Int = 16, duration: Duration = .seconds(120), bodyBytes: Int = 1 << 20) {
      self.count = count
      self.duration = duration
      self.bodyBytes = bodyBytes
    }
  }

  /// At the stage that was passed; the interceptor calls `next` at most once.
  public let traits: InterceptorTraits
  let limits: PauseLimits
  let time: TimeSource
  private let state: Mutex<State>

  private struct State {
    var progress: InterventionProgress
    var editor: (any InterventionEditor)?
    var pausedCount = 0
    var changed: @Sendable () -> Void = {}
  }

  /// Creates an interceptor.
  ///
  /// - Parameters:
  ///   - rules: The rules; those of a file by `InterventionRules(contentsOf:)`.
  ///   - permission: In which builds calls may be altered.
  ///   - editor: Edits the calls that rules pause; by default the page of an ``Inspector``, if it shows them.
  ///     Without an editor the calls continue.
  ///   - stage: The place in the chain. Further out, cached responses are altered, too.
  ///   - limits: The bounds of pauses.
  ///   - time: The clock by which calls wait.
  /// - Throws: ``InterventionError`` if this is a release build without the permission.
  public init(
    _ rules: InterventionRules = [], permission: InterventionPermission,
    editor: (any InterventionEditor)? = nil, stage: Stage = .interventions,
    limits: PauseLimits = PauseLimits(), time: TimeSource = .system
  ) throws(InterventionError) {
    try permission.check()
    traits = InterceptorTraits(stage: stage, allowsSeveral: true, callsNext: .atMostOnce)
    self.limits = limits
    self.time = time
    state = Mutex(State(progress: InterventionProgress(rules), editor: editor))
  }

  /// The rules; setting them counts their requests anew.
  public var rules: InterventionRules {
    get { state.withLock { $0.progress.rules } }
    set {
      let changed = state.withLock { state in
        state.progress = InterventionProgress(newValue)
        return state.changed
      }
      changed()
    }
  }

  /// Applies the rules that match the request, and otherwise passes it on.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let steps = request.asksForUpgrade ? [] : state.withLock { $0.progress.steps(for: request) }
    guard !steps.isEmpty else { return try await next.dispatch(request) }
    var course = InterventionCourse(of: self, steps, request, recorders: next.callRecorders)
    return try await course.run(next)
  }
}

extension InterventionInterceptor {
  /// The editor of paused calls; nil if there is none.
  var editor: (any InterventionEditor)? { state.withLock { $0.editor } }

  /// Sets the editor, unless there is one, and a function that is called when the rules change.
  func attach(_ editor: any InterventionEditor, whenChanged changed: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if state.editor == nil { state.editor = editor }
      state.changed = changed
    }
  }

  /// Turns a rule on or off without counting the requests of the others anew.
  ///
  /// - Returns: Whether there is a rule of that name at that place.
  func turn(_ name: String, at index: Int, on isOn: Bool) -> Bool {
    let changed = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.progress.turn(name, at: index, on: isOn) else { return nil }
      return state.changed
    }
    changed?()
    return changed != nil
  }

  /// Adds a rule before the others, so that it applies even if one of them answers the same requests.
  ///
  /// - Returns: False if there are as many rules as allowed.
  func add(_ rule: InterventionRule) -> Bool {
    let changed = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.progress.add(rule) else { return nil }
      return state.changed
    }
    changed?()
    return changed != nil
  }

  /// Notes that a call pauses, and returns whether it may.
  func beginPause() -> Bool {
    state.withLock { state in
      guard state.pausedCount < limits.count else { return false }
      state.pausedCount += 1
      return true
    }
  }

  func endPause() { state.withLock { $0.pausedCount -= 1 } }
}

/// The rules with what was counted and drawn so far.
struct InterventionProgress: Sendable {
  /// A rule that applies to a request.
  struct Step: Sendable {
    let rule: InterventionRule
    /// Whether the rule's network loses the connection.
    var isLost = false
  }

  private(set) var rules: InterventionRules
  private var counts: [Int]
  private var draws: [SeededDraws]

  init(_ rules: InterventionRules) {
    self.rules = rules
    counts = rules.rules.map { _ in 0 }
    draws = rules.rules.map { SeededDraws(seed: $0.seed) }
  }

  /// Returns the rules that apply to a request, in their order, and counts it.
  mutating func steps(for request: Request) -> [Step] {
    var steps: [Step] = []
    for (index, rule) in rules.rules.enumerated() where rule.isOn {
      if let times = rule.times, counts[index] >= times { continue }
      guard rule.match.includes(request) else { continue }
      counts[index] += 1
      var step = Step(rule: rule)
      if case .network(let network) = rule.action {
        step.isLost = draws[index].next(withProbability: network.loss)
      }
      steps.append(step)
      if rule.action.isFinal { break }
    }
    return steps
  }

  /// Turns a rule on or off, and returns whether there is one of that name at that place.
  ///
  /// One that is turned on counts its requests anew.
  mutating func turn(_ name: String, at index: Int, on isOn: Bool) -> Bool {
    guard rules.rules.indices.contains(index), rules.rules[index].name == name else { return false }
    rules.rules[index].isOn = isOn
    if isOn { counts[index] = 0 }
    return true
  }

  /// Adds a rule before the others, and returns whether there was room.
  mutating func add(_ rule: InterventionRule) -> Bool {
    guard rules.rules.count < InterventionRules.maximumCount else { return false }
    rules.rules.insert(rule, at: 0)
    counts.insert(0, at: 0)
    draws.insert(SeededDraws(seed: rule.seed), at: 0)
    return true
  }
}

extension InterventionRule {
  fileprivate var seed: UInt64 { if case .network(let network) = action { network.seed } else { 0 } }
}
