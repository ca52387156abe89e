import Account
import EstateApp
import EstateContract
import EstateNetwork
import EstateServer
import Foundation
import LocalStores
import Screens
import Switchyard
import Synchronization

/// One user of the app: an app of its own, and the steps that follow from a seed.
@MainActor final class SoakUser {
  private let number: Int
  private let screens = TopScreen()
  private let clock = MovedClock()
  private let judge: ScreenJudge
  private let shell: EstateShell
  private var plan: StepPlan
  private var yields: SeededRandom

  /// Creates a user.
  ///
  /// - Parameter keepsFiles: Whether the app keeps its files in the state folder; one app at a time may.
  init(
    _ number: Int, seed: UInt64, server: String, state: String, listings: Listings, favourites: [Int],
    keepsFiles: Bool
  ) throws {
    self.number = number
    judge = ScreenJudge(listings: listings)
    yields = SeededRandom(seed: seed)
    plan = StepPlan(
      seed: seed, cities: Set(listings.homes.filter { $0.kind == .house }.map(\.city)).sorted(),
      homeCount: listings.homes.count, favourites: favourites)
    let clock = clock
    shell = try EstateShell(
      AppConfiguration(server: server, state: state, hasQueues: keepsFiles), console: SoakConsole(),
      prompt: DemoMember(), logger: Logger(label: "soak") { _ in SwiftLogNoOpLogHandler() }, host: screens,
      time: TimeSource(ContinuousClock(), wall: { clock.now() }))
    guard keepsFiles else { return }
    let (version, isHeldBack) = shell.deployment
    SoakConsole.report(.startedWith(version ?? 0, isHeldBack: isHeldBack))
  }

  /// Takes steps until `isOver`, and reports each.
  func use(until isOver: @MainActor () -> Bool, numbering steps: StepNumbers) async {
    if let kept = try? await shell.data?.ofDevice().value(Self.keptSteps) {
      SoakConsole.report(.found(kept: kept))
    }
    while !isOver() {
      let step = plan.next()
      if case .clock(let seconds) = step {
        clock.move(by: seconds)
        continue
      }
      guard let url = step.url else { continue }
      let id = steps.next()
      SoakConsole.report(.began(step: id))
      let start = ContinuousClock.now
      let attempt = await attempt(step, url)
      let time = ContinuousClock.now - start
      var ending = judge.verdict(on: step, attempt.result, attempt.text, showing: screens.content)
      if case .wrong(let reason) = ending { ending = .wrong("\(url): \(reason)") }
      if case .favourite(let home) = step, attempt.result == .done {
        SoakConsole.report(.promised(home: home, waits: attempt.text?.hasPrefix("queued") == true))
      }
      if case .deployment = step, attempt.result == .done, let version = shell.deployment.version {
        SoakConsole.report(.deployed(version))
      }
      SoakConsole.report(
        .ended(
          step: id, ending, milliseconds: time / .milliseconds(1), user: number, requests: requests,
          isScreen: step.showsHomes))
      await keepStep()
      while shell.navigator.state.currentStack.count > 1 { shell.back() }
      // A user who sees an error looks at it; otherwise an outage would be most of the steps.
      if attempt.result != .done { try? await Task.sleep(for: .milliseconds(100)) }
    }
  }

  private nonisolated static let keptSteps = LocalKey("soak.steps", default: 0)

  /// Counts a step in the app's own data, and reports the count once it is kept; a full disk refuses it.
  private func keepStep() async {
    guard let store = try? await shell.data?.ofDevice() else { return }
    let kept = try? await store.transaction { data in
      let count = try data.value(Self.keptSteps) + 1
      try data.set(count, for: Self.keptSteps)
      return count
    }
    if let kept { SoakConsole.report(.kept(kept)) }
  }

  private func attempt(_ step: UserStep, _ url: String) async -> Attempt {
    let task = Task { [shell] in await shell.attempt(opening: url) }
    if case .leave = step {
      for _ in 0..<Int.random(in: 0..<200, using: &yields) { await Task.yield() }
      task.cancel()
    }
    return await task.value
  }

  /// The number of requests that the app has sent.
  private var requests: Int { shell.summary.split(separator: " ").compactMap { Int($0) }.first ?? 0 }

  /// Delivers what waits, ends the app, and returns what remained undelivered.
  func finish() async -> (waiting: Int, actions: String) {
    var waiting = await shell.waitingChanges
    // The queue may wait after a failure, or because a killed server doesn't know the member's session: the
    // favourites then ask for a login.
    for _ in 0..<30 where waiting > 0 {
      _ = await shell.open("estate://settings/network/offline")
      _ = await shell.open("estate://settings/network/online")
      _ = await shell.open("estate://favourites")
      try? await Task.sleep(for: .seconds(1))
      waiting = await shell.waitingChanges
    }
    _ = await shell.open("estate://settings/network/online")
    await shell.closeFiles()
    return (waiting, shell.journal?.lines.first ?? "")
  }

  /// The app, to see whether anything retains it after its end.
  var app: AnyObject { shell }
}

/// Numbers the steps of all users.
@MainActor final class StepNumbers {
  private var last = 0

  func next() -> Int {
    last += 1
    return last
  }
}

/// Keeps the screen that a user sees.
@MainActor private final class TopScreen: NavigationHost {
  private var update: NavigationUpdate?

  var content: ScreenContent? { (update?.topScreen as? any ContentScreen)?.content }

  func render(_ update: NavigationUpdate) { self.update = update }
}

/// A wall clock that jumps.
private final class MovedClock: Sendable {
  private let seconds = Mutex(0)

  func move(by seconds: Int) { self.seconds.withLock { $0 += seconds } }

  func now() -> WallTime { WallTime.now().advanced(by: .seconds(seconds.withLock { $0 })) }
}

/// Logs in as the sample's member whenever asked.
private struct DemoMember: CredentialPrompt {
  func credentials() async -> MemberCredentials? {
    MemberCredentials(user: DemoAccount.user, password: DemoAccount.password)
  }
}

/// Reports refused and damaged changes, and nothing else that the app prints.
struct SoakConsole: Console {
  func write(_ line: String) {
    if line.contains(" was refused, ") || line.contains(" was damaged") { Self.report(.refused(line)) }
  }

  /// Writes a message to standard output, unbuffered: the process may be killed at any time.
  static func report(_ message: SoakMessage) {
    try? FileHandle.standardOutput.write(contentsOf: Data((message.line + "\n").utf8))
  }
}
