import Interception
import Testing

@testable import Deployment

/// The decisions about versions and starts, without files.
@Suite struct StartLedgerTests {
  private static let place = StartLedger.Surroundings(app: "1.0", boot: "a")
  private static let start = WallTime(secondsSince1970: 1_000_000)

  private static func version(_ number: UInt64) -> StartLedger.Version {
    StartLedger.Version(number: number, digest: [UInt8](repeating: UInt8(number), count: 32))
  }

  private static func document(_ version: UInt64) -> DeploymentDocument {
    DeploymentDocument(version: version, parts: [], key: "2026", revokedKeys: [], bytes: [])
  }

  /// What happens to the app, one after another.
  enum Step: Sendable, CustomTestStringConvertible {
    /// A process starts; the versions that it may use, newest first.
    case start(uses: [UInt64], app: String = "1.0", boot: String = "a")
    case receive(UInt64)
    /// The check of a document begins, and does not end.
    case check(UInt64)
    case heldBack(UInt64, until: Int64?)
    case suspend
    case live
    case confirm(UInt64)
    /// The wall clock moves.
    case clock(Int64)

    var testDescription: String { "\(self)" }
  }

  private func run(_ steps: [Step]) throws -> StartLedger {
    var (ledger, now) = (StartLedger(), Self.start)
    for step in steps {
      switch step {
      case .start(let uses, let app, let boot):
        let place = StartLedger.Surroundings(app: app, boot: boot)
        let documents = ledger.start(at: now, in: place)
        #expect(documents.map(\.number) == uses, "\(steps)")
        if let first = documents.first { ledger.open(first, in: place) }
      case .receive(let number):
        try ledger.beginCheck(of: Self.version(number), at: now, in: Self.place)
        ledger.accept(Self.document(number), at: now)
      case .check(let number): try ledger.beginCheck(of: Self.version(number), at: now, in: Self.place)
      case .heldBack(let number, let seconds):
        var copy = ledger
        let held = #expect(throws: HeldBack.self) {
          try copy.beginCheck(of: Self.version(number), at: now, in: Self.place)
        }
        #expect(held?.retry?.seconds == seconds.map { Self.start.seconds + $0 })
      case .suspend: ledger.close()
      case .live: ledger.close(entriesOnly: true)
      case .confirm(let number): ledger.confirm(Self.version(number), at: now)
      case .clock(let seconds): now = now.advanced(by: .seconds(seconds))
      }
    }
    return ledger
  }

  /// Version 1 is confirmed, and version 2 was just received.
  private static let changed: [Step] = [.start(uses: []), .receive(1), .confirm(1), .receive(2)]
  private static let heldBack = changed + [.start(uses: [2, 1]), .start(uses: [1])]

  @Test(
    "K5: two deaths after a change lead back to the version before, and one does not",
    arguments: [
      // The process that received the document, and the next one.
      changed + [.start(uses: [2, 1]), .start(uses: [1]), .start(uses: [1])],
      // Two processes after an orderly end.
      changed + [.suspend, .start(uses: [2, 1]), .start(uses: [2, 1]), .start(uses: [1])],
      // With an orderly end between them.
      changed + [.start(uses: [2, 1]), .suspend, .start(uses: [2, 1]), .start(uses: [1])],
      // Without a version before.
      [.start(uses: []), .receive(1), .start(uses: [1]), .start(uses: [])],
      // The version before was never confirmed, so it isn't one to go back to.
      [.start(uses: []), .receive(1), .receive(2), .start(uses: [2]), .start(uses: [])],
      // Of two that were not confirmed, the one before both.
      changed + [.receive(3), .start(uses: [3, 1]), .start(uses: [1])],
      // While the document was checked, which is not stored: the version before stays.
      [.start(uses: []), .receive(1), .confirm(1), .check(2), .start(uses: [1]), .check(2)]
        + [.start(uses: [1]), .heldBack(2, until: 3_600)],
    ])
  func twoDeaths(steps: [Step]) throws { _ = try run(steps) }

  @Test(
    "An end that is no fault of the version does not count as a death, however often it happens",
    arguments: [
      // A person closes the app, or the system ends it in the background.
      [Step](repeating: .suspend, count: 1),
      // The app has lived long enough.
      [.live],
    ])
  func orderlyEnds(end: [Step]) throws {
    let starts = (0..<10).flatMap { _ in end + [Step.start(uses: [2, 1])] }
    let ledger = try run(Self.changed + starts)
    #expect(!ledger.events.contains { $0.kind == .died || $0.kind == .heldBack })
  }

  @Test("A restarted device and a replaced app are no deaths, and are recorded as interruptions")
  func interruptions() throws {
    let restarts = (1...5).map { Step.start(uses: [2, 1], boot: "boot \($0)") }
    let restarted = try run(Self.changed + restarts)
    #expect(restarted.events.filter { $0.kind == .interrupted }.count == 5)
    let replaced = try run(Self.changed + (1...5).map { .start(uses: [2, 1], app: "1.\($0)") })
    #expect(replaced.events.filter { $0.kind == .interrupted }.count == 5)
    #expect(!(restarted.events + replaced.events).contains { $0.kind == .died })
  }

  @Test("A version that was held back is tried again after growing pauses, a few times, then given up")
  func growingPauses() throws {
    var steps = Self.heldBack
    for pause in [3_600, 86_400, 7 * 86_400] as [Int64] {
      // A second too early it is not.
      steps += [.suspend, .clock(pause - 1), .start(uses: [1]), .clock(1), .start(uses: [2, 1])]
      steps += [.start(uses: [2, 1]), .start(uses: [1])]
    }
    steps += [.clock(100 * 365 * 86_400), .start(uses: [1]), .heldBack(2, until: nil)]
    let ledger = try run(steps)
    #expect(ledger.events.last?.kind == .givenUp)
    #expect(ledger.events.filter { $0.kind == .heldBack }.count == 3)
    #expect(ledger.events.filter { $0.kind == .triedAgain }.count == 3)
    // Neither a newer version nor another version of the app is refused for ever.
    _ = try run(steps + [.receive(3), .start(uses: [3, 1])])
    _ = try run(steps + [.start(uses: [2, 1], app: "1.1")])
  }

  @Test("A clock that was set back prolongs a pause once; one that is years ahead only shortens it")
  func clocks() throws {
    let year: Int64 = 365 * 86_400
    _ = try run(
      Self.heldBack + [.clock(-10 * year), .start(uses: [1]), .clock(3_599), .start(uses: [1])]
        + [.clock(1), .start(uses: [2, 1])])
    _ = try run(Self.heldBack + [.clock(year), .start(uses: [2, 1]), .clock(-year), .start(uses: [2, 1])])
  }

  @Test("The confirmed version is on trial again with another version of the app, which may die of it")
  func replacedApp() throws {
    let ledger = try run([
      .start(uses: []), .receive(1), .confirm(1), .start(uses: [1]), .start(uses: [1]), .start(uses: [1]),
      .start(uses: [1], app: "2.0"), .start(uses: [1], app: "2.0"), .start(uses: [], app: "2.0"),
    ])
    #expect(ledger.events.map(\.kind) == [.received, .confirmed, .died, .died, .heldBack])
  }

  @Test("A version that died once and is confirmed then starts without any record of it")
  func confirmedAfterDeath() throws {
    let ledger = try run(Self.changed + [.start(uses: [2, 1]), .confirm(2), .start(uses: [2, 1])])
    #expect(ledger.entries.map(\.deaths) == [0, 0])
    #expect(ledger.entries.map(\.isOnTrial) == [false, false])
    #expect(ledger.events.last?.kind == .confirmed)
  }

  @Test("The detail of an event says which version is used instead, and when the other is tried again")
  func details() throws {
    let ledger = try run(Self.heldBack)
    #expect(
      ledger.events.suffix(3).map(\.description) == [
        "Deployment 2: died. The app has died 1 of 2 times.",
        "Deployment 2: died. The app has died 2 of 2 times.",
        "Deployment 2: held back. The app uses version 1, and tries again after 1 h.",
      ])
    let first = try run([.start(uses: []), .receive(1), .start(uses: [1]), .start(uses: [])])
    #expect(first.events.last?.detail == "The app uses no document in its place, and tries again after 1 h.")
  }

  @Test("A refused document leaves the ledger as it was, but for deaths during its check")
  func refused() throws {
    let before = try run(Self.changed)
    var after = before
    try after.beginCheck(of: Self.version(3), at: Self.start, in: Self.place)
    after.refuse()
    #expect(after == before)
    var died = try run(Self.changed + [.check(3), .start(uses: [2, 1])])
    #expect(died.candidate?.deaths == 1 && died.entries.first?.deaths == 0)
    died.refuse()
    #expect(died.candidate?.deaths == 1)
  }

  @Test("Of many events and versions only the last ones are kept")
  func bounds() throws {
    var steps: [Step] = [.start(uses: [])]
    for number in 1...50 as ClosedRange<UInt64> { steps += [.receive(number), .confirm(number)] }
    let ledger = try run(steps)
    #expect(ledger.entries.map(\.version.number) == [50, 49])
    #expect(ledger.events.count == StartLedger.eventLimit)
  }

  @Test("The encoded form is read back, and no part or change of it is")
  func encoding() throws {
    var ledger = try run(Self.heldBack + [.check(3), .clock(10)])
    _ = ledger.report()
    let bytes = try ledger.bytes
    #expect(StartLedger(bytes) == ledger)
    for count in 0..<bytes.count { #expect(StartLedger(Array(bytes.prefix(count))) == nil) }
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      #expect(StartLedger(changed) == nil)
    }
    #expect(StartLedger(bytes + [0]) == nil)
  }
}
