import Navigation

/// What aspects of a test did, in order.
@MainActor final class AspectJournal {
  var lines: [String] = []
  var events: [ScreenEvent] = []
}

/// An aspect that does what a test says, and records what happens.
struct ScriptedAspect: ScreenAspect {
  typealias Decision = @MainActor @Sendable (any Screen, ScreenVisit) async throws -> ScreenVerdict

  let name: String
  let stage: AspectStage
  let journal: AspectJournal
  let decide: Decision
  var onEvent: @MainActor @Sendable (ScreenEvent) -> Void = { _ in }

  init(
    _ name: String, _ stage: AspectStage, _ journal: AspectJournal,
    decide: @escaping Decision = { screen, _ in .show(screen) }
  ) {
    self.name = name
    self.stage = stage
    self.journal = journal
    self.decide = decide
  }

  func prepare(_ screen: any Screen, for visit: ScreenVisit) async throws -> ScreenVerdict {
    journal.lines.append("\(name) prepares \(screen.title)")
    return try await decide(screen, visit)
  }

  func observe(_ event: ScreenEvent) {
    journal.events.append(event)
    journal.lines.append("\(name): \(event.words)")
    onEvent(event)
  }
}

extension ScreenEvent {
  /// The event with the last part of the entry's name, and the seconds on screen.
  var words: String {
    let name = visit.entry.name.split(separator: "/").last ?? ""
    return "\(name) \(kind) \(timeOnScreen.components.seconds)"
  }
}

/// The reason of a veto.
struct NotLicensed: Error, Equatable, CustomStringConvertible {
  let description = "There is no license."
}
