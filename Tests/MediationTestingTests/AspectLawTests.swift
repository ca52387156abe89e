import MediationTesting
import Navigation
import Synchronization
import Testing

private struct OtherScreen: Screen {
  let title: String
}

/// Retains every screen.
@MainActor private final class Hoarding: ScreenAspect {
  nonisolated let stage = AspectStage.observation
  private var screens: [any Screen] = []

  func prepare(_ screen: any Screen, for visit: ScreenVisit) async throws -> ScreenVerdict {
    screens.append(screen)
    return .show(screen)
  }
}

private struct OnlyLists: ScreenAspect {
  struct UnknownTypeError: Error {}
  let stage = AspectStage.appearance
  func prepare(_ screen: any Screen, for visit: ScreenVisit) async throws -> ScreenVerdict {
    guard screen is ListScreen else { throw UnknownTypeError() }
    return .show(screen)
  }
}

/// Waits in a task of its own, which no cancellation reaches.
private struct Deaf: ScreenAspect {
  let stage = AspectStage.decoration
  func prepare(_ screen: any Screen, for visit: ScreenVisit) async throws -> ScreenVerdict {
    await Task { try? await Task.sleep(for: .seconds(60)) }.value
    return .show(screen)
  }
}

private struct Waiting: ScreenAspect {
  let stage = AspectStage.decoration
  func prepare(_ screen: any Screen, for visit: ScreenVisit) async throws -> ScreenVerdict {
    try await Task.sleep(for: .seconds(60))
    return .show(screen)
  }
}

private final class Renaming: ScreenAspect {
  let stage = AspectStage.observation
  private let events = Mutex(0)
  var name: String { "Renaming \(events.withLock { $0 })" }
  func observe(_ event: ScreenEvent) { events.withLock { $0 += 1 } }
}

@MainActor @Suite(.timeLimit(.minutes(5))) struct AspectLawTests {
  private let samples: [@MainActor () -> any Screen] = [
    { ListScreen(title: "List") }, { OtherScreen(title: "A") },
  ]

  @Test("The shipped aspects obey the laws")
  func shipped() async throws {
    try await checkAspectLaws(ScreenStatistics { _ in }, samples: samples).check()
    try await checkAspectLaws(PrivacyCover { _ in OtherScreen(title: "Cover") }, samples: samples).check()
    try await checkAspectLaws(
      SwitchedOffBanner { _ in
        "off"
      } decorating: { _, text in
        OtherScreen(title: text)
      }, samples: samples
    ).check()
    try await checkAspectLaws(
      AppearanceDefaults(for: OtherScreen.self) { $0 = OtherScreen(title: $0.title + "!") }, samples: samples
    ).check()
    try await checkAspectLaws(
      PrivacyCover { _ in OtherScreen(title: "Cover") }.only(for: .module("Other")), samples: samples
    ).check()
  }

  @Test("An immediate verdict proves nothing about cancellation, and a waiting aspect does")
  func unproven() async throws {
    let report = await checkAspectLaws(ScreenStatistics { _ in })
    #expect(report.unproven[.passesCancellation] == "the verdict is immediate")
    let waiting = await checkAspectLaws(Waiting(), laws: [.passesCancellation])
    #expect(waiting.unproven.isEmpty && waiting.violations.isEmpty)
  }

  @Test(
    "An aspect that retains screens, fails for unknown ones, ignores cancellation or changes its name is found"
  )
  func broken() async throws {
    let patience = Duration.milliseconds(200)
    #expect(
      await checkAspectLaws(Hoarding(), patience: patience).breaches.map(\.law) == [.releasesScreens])
    #expect(
      await checkAspectLaws(OnlyLists(), samples: samples, patience: patience).breaches.map(\.law)
        == [.decidesAboutAnyScreen, .decidesAboutAnyScreen])
    #expect(
      await checkAspectLaws(Deaf(), laws: [.decidesAboutAnyScreen, .passesCancellation], patience: patience)
        .breaches.map(\.law) == [.decidesAboutAnyScreen, .passesCancellation])
    #expect(await checkAspectLaws(Renaming()).breaches.map(\.law) == [.hasOnePlace])
    let error = await #expect(throws: MediationCheckFailure.self) {
      try await checkAspectLaws(Hoarding(), patience: patience).check()
    }
    #expect(error?.description.contains("releasesScreens: Hoarding retains a screen that was left") == true)
  }
}
