package import Mediation

extension Navigator {
  /// Asks the aspects about a screen that was made, and returns what they make of it.
  ///
  /// While a saved navigation is restored, or the parents of a link's screen are made, an aspect that was
  /// overdue once is not asked again: the other screens that it applies to are refused immediately.
  ///
  /// - Throws: ``ScreenAspectError``, or `CancellationError` if the caller is cancelled.
  func prepare(
    _ screen: any Screen, _ id: EntryID, _ parameters: ScreenParameters
  ) async throws -> PreparedScreen {
    let visit = parameters.visit(screen, id, isRestored: PendingScreens.of(self) != nil)
    let pending = PendingScreens.of(self, parameters.context)
    let own = visit.module.map { parameters.context.mediator.aspects(of: $0) } ?? []
    let applying = aspects.applying(to: visit, with: own)
    // A screen that ended while it was made is not shown.
    let decided = try await decide(isEnded(id) ? [] : applying, screen, visit, pending)
    return PreparedScreen(
      screen: decided, visit: visit, aspects: applying, identities: parameters.identities(of: screen),
      style: parameters.style)
  }

  /// Asks aspects one after another, within their time limit.
  private func decide(
    _ applying: [any ScreenAspect], _ screen: any Screen, _ visit: ScreenVisit, _ pending: PendingScreens?
  ) async throws -> any Screen {
    if applying.isEmpty { return screen }
    let (limit, clock) = (aspects.limit, aspects.clock)
    if let late = pending?.overdueAspects, let aspect = applying.first(where: { late.contains($0.name) }) {
      throw ScreenAspectError.overdue(aspect.name, limit: limit)
    }
    let maximum = ScreenAspects.questionLimit
    if questions >= maximum { throw ScreenAspectError.tooMany(limit: maximum) }
    questions += 1
    let question = AspectQuestion(of: self, isHeldBack: pending != nil)
    defer {
      questions -= 1
      question.close()
    }
    do {
      return try await AspectScope.$question.withValue(question) {
        try await DeadlineRace<any Screen>().run {
          try await question.ask(applying, screen, visit)
        } against: {
          try await clock.sleep(for: limit)
          throw ScreenAspectError.overdue(await question.aspect, limit: limit)
        }
      }
    } catch ScreenAspectError.overdue(let name, let limit) {
      pending?.overdueAspects.insert(name)
      throw ScreenAspectError.overdue(name, limit: limit)
    }
  }

  /// Refuses to show a screen for an aspect that is asked about another one, or receives an event.
  func refuseAspect() throws(NavigationError) {
    if let runningAspect { throw .navigatingAspect(runningAspect) }
    if let question = AspectScope.question, question.isOpen, question.belongs(to: self) {
      throw .navigatingAspect(question.aspect)
    }
  }
}

/// The task-local context of aspects.
enum AspectScope {
  /// The question to aspects that the current task is part of.
  // A task-local value, because an aspect opens a screen by what it has retained, without a context. The
  // navigator cannot tell by itself: screens that other tasks open meanwhile are not refused.
  @TaskLocal static var question: AspectQuestion?
}

/// The question to the aspects about one screen.
@MainActor
final class AspectQuestion {
  private weak let navigator: Navigator?
  /// Whether the screen belongs to a restoration or below another screen, so that it is not shown alone.
  private let isHeldBack: Bool
  /// The aspect that is being asked.
  private(set) var aspect = ""
  /// Whether an answer is awaited; tasks that aspects have started may still refer to the question.
  private(set) var isOpen = true

  init(of navigator: Navigator, isHeldBack: Bool) {
    self.navigator = navigator
    self.isHeldBack = isHeldBack
  }

  func belongs(to navigator: Navigator) -> Bool { self.navigator === navigator }

  func close() { isOpen = false }

  /// Asks aspects one after another, each about what the one before returned.
  func ask(
    _ aspects: [any ScreenAspect], _ screen: any Screen, _ visit: ScreenVisit
  ) async throws -> any Screen {
    var screen = screen
    for next in aspects {
      // The answer is no longer awaited after the limit.
      guard isOpen else { throw CancellationError() }
      aspect = next.name
      let verdict: ScreenVerdict
      do {
        verdict = try await next.prepare(screen, for: visit)
      } catch {
        if Task.isCancelled, error is CancellationError { throw error }
        throw ScreenAspectError.failed(next.name, error)
      }
      switch verdict {
      case .show(let answer): screen = answer
      case .veto(let reason):
        let isRoot = !isHeldBack && navigator.map { $0.state.top == nil } == true
        throw ScreenAspectError.vetoed(by: next.name, reason: reason, isRoot: isRoot)
      }
    }
    return screen
  }
}

extension Navigator: nonisolated MediatorFollower {
  package nonisolated func faults(
    in contributions: [ModuleContribution], of modules: [String], routes: [ObjectIdentifier: String]
  ) -> [RouteTableIssue.Fault] {
    var faults = aspects.members.flatMap { $0.unfitScopes(modules, routes) }
    for module in modules {
      let own = contributions.filter { $0.place.module == module }.compactMap {
        ($0.value as? any ScreenAspect).map { AspectMember($0) }
      }
      faults += own.faults.map { "Module \(module): \($0)" }
      // The screens of other modules never pass it.
      faults += own.flatMap { $0.unfitScopes([module], routes.filter { $0.value == module }) }
    }
    return faults.map { .aspect($0) }
  }

  @MainActor package func follow(_ event: LifecycleEvent) async {
    switch event.kind {
    case .background: setForeground(false)
    case .foreground: setForeground(true)
    case .launch, .memoryWarning, .link, .logout: return
    }
  }
}

extension AspectMember {
  /// Returns what is wrong with the limits of the aspect, which sees the screens of some modules.
  fileprivate func unfitScopes(_ modules: [String], _ routes: [ObjectIdentifier: String]) -> [String] {
    scopes.compactMap { scope in
      switch scope.rule {
      case .module(let module) where !modules.contains(module):
        "Aspect \(name) is limited to the screens of module \"\(module)\", and sees only those of "
          + "\(modules.joined(separator: ", ")); list the module, or correct its name."
      case .route(let type, let route) where routes[type] == nil:
        "Aspect \(name) is limited to the screens of \(route), which none of these modules declares: "
          + "\(modules.joined(separator: ", ")); declare the route, or remove the limit."
      case .module, .route, .predicate: nil
      }
    }
  }
}
