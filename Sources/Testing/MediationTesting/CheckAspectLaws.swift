import Mediation
public import Navigation
import Synchronization

/// Checks the laws that every aspect of screens must satisfy, whatever its purpose.
///
/// ```swift
/// try await checkAspectLaws(Banner()).check()
/// ```
///
/// - Parameters:
///   - aspect: Creates the aspect; called for each check, so that no check affects another one.
///   - samples: Create the screens to check with, such as those of the types that the aspect handles. A
///     screen of a type that it can't know is always among them.
///   - patience: The maximum time, in real time, that an aspect has for what it must do promptly.
/// - Returns: The violations, and the laws that no sample could verify.
@MainActor public func checkAspectLaws(
  _ aspect: @autoclosure () -> some ScreenAspect, samples: [@MainActor () -> any Screen] = [],
  patience: Duration = .seconds(2)
) async -> ScreenAspectLawReport {
  await checkAspectLaws(aspect(), laws: ScreenAspectLaw.allCases, samples: samples, patience: patience)
}

/// Checks some of the laws of aspects.
@MainActor package func checkAspectLaws(
  _ aspect: @autoclosure () -> some ScreenAspect, laws: [ScreenAspectLaw],
  samples: [@MainActor () -> any Screen] = [], patience: Duration = .seconds(2)
) async -> ScreenAspectLawReport {
  let name = aspect().name
  var violations: [ScreenAspectLawReport.Violation] = []
  var unproven: [ScreenAspectLaw: String] = [:]
  let screens: [@MainActor () -> any Screen] = [{ UnknownScreen() }] + samples
  for law in laws {
    var reasons: [String] = []
    for (number, make) in screens.enumerated() {
      let check = AspectLawCheck(aspect: aspect(), number: number, patience: patience)
      switch await check.find(law, make) {
      case .kept: break
      case .broken(let sentence): violations.append(.init(law: law, aspect: name, sentence: sentence))
      case .unproven(let reason): reasons.append(reason)
      }
    }
    if reasons.count == screens.count { unproven[law] = reasons.first }
  }
  return ScreenAspectLawReport(aspect: name, breaches: violations, unproven: unproven)
}

/// A screen of a type that no aspect knows.
private final class UnknownScreen: Screen {
  let title = "A screen of an unknown type"
}

/// Checks one law with one screen.
@MainActor private struct AspectLawCheck {
  enum Finding {
    case kept
    case broken(String)
    case unproven(String)
  }

  /// Why a preparation ended.
  private enum End: Sendable {
    case verdict(ScreenVerdict)
    case failed(any Error)
    case late
  }

  let aspect: any ScreenAspect
  let number: Int
  let patience: Duration

  private var visit: ScreenVisit {
    let name = "law://screen/\(number)"
    return ScreenVisit(
      NavigationEntry(id: EntryID(number + 1), name: name, url: name, opener: "law://opener"),
      route: "LawRoute", openerRoute: "OpenerRoute", module: "Laws")
  }

  func find(_ law: ScreenAspectLaw, _ make: @MainActor () -> any Screen) async -> Finding {
    switch law {
    case .hasOnePlace: return hasOnePlace()
    case .decidesAboutAnyScreen: return await decidesAboutAnyScreen(make)
    case .passesCancellation: return await passesCancellation(make)
    case .releasesScreens: return await releasesScreens(make)
    }
  }

  private func hasOnePlace() -> Finding {
    let (stage, name) = (aspect.stage, aspect.name)
    if name.isEmpty { return .broken("has an empty name; messages need one") }
    aspect.observe(ScreenEvent(.entered, visit, timeOnScreen: .zero))
    return aspect.stage == stage && aspect.name == name
      ? .kept : .broken("changes its stage or its name; both must be constant")
  }

  private func decidesAboutAnyScreen(_ make: @MainActor () -> any Screen) async -> Finding {
    switch await end(of: make()) {
    case .verdict: .kept
    case .failed(let error):
      .broken("throws \(error) for a screen; return a verdict, such as a veto with a reason")
    case .late: .broken("has no verdict after \(patience); decide within a time limit of its own")
    }
  }

  /// Cancels a preparation that waits.
  private func passesCancellation(_ make: @MainActor () -> any Screen) async -> Finding {
    let screen = make()
    let hasEnded = Mutex(false)
    let task = Task { [aspect, visit] in
      _ = try? await aspect.prepare(screen, for: visit)
      hasEnded.withLock { $0 = true }
    }
    // Whatever does not wait has its verdict by then.
    for _ in 0..<100 where !hasEnded.withLock({ $0 }) { await Task.yield() }
    if hasEnded.withLock({ $0 }) { return .unproven("the verdict is immediate") }
    task.cancel()
    let clock = ContinuousClock()
    let start = clock.now
    while !hasEnded.withLock({ $0 }) {
      if start.duration(to: clock.now) > patience {
        return .broken("waits after its cancellation; await in the task that calls prepare")
      }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return .kept
  }

  /// Lets a screen live through all events, and checks whether it is released.
  private func releasesScreens(_ make: @MainActor () -> any Screen) async -> Finding {
    weak var object: AnyObject?
    do {
      let screen = make()
      guard type(of: screen) is AnyClass else { return .unproven("the screen is a value") }
      object = screen as AnyObject
      // The verdict retains the screen until here.
      _ = await end(of: screen)
    }
    for kind in [ScreenEvent.Kind.entered, .covered, .uncovered, .left] {
      aspect.observe(ScreenEvent(kind, visit, timeOnScreen: .seconds(1)))
    }
    let clock = ContinuousClock()
    let start = clock.now
    while object != nil {
      if start.duration(to: clock.now) > patience {
        return .broken("retains a screen that was left; keep its identity or a weak reference instead")
      }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return .kept
  }

  private func end(of screen: any Screen) async -> End {
    let (aspect, visit, patience) = (aspect, visit, patience)
    do {
      return try await DeadlineRace<End>().run {
        .verdict(try await aspect.prepare(screen, for: visit))
      } against: {
        try await Task.sleep(for: patience)
        return .late
      }
    } catch {
      return .failed(error)
    }
  }
}
