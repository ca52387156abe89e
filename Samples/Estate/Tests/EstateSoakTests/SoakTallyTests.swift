import Testing

@testable import estate_soak

@Suite("What a soak has counted")
struct SoakTallyTests {
  private let start = ContinuousClock.now

  /// Counts messages, and the end of the app's run a while after them.
  ///
  /// - Parameter recorded: What the server has recorded, besides the home of a favourite promised before.
  private func tally(
    _ messages: [SoakMessage], killed: Bool = false, after time: Duration = .seconds(1),
    recorded: Set<Int> = []
  ) -> SoakTally {
    var tally = SoakTally()
    tally.beginLife()
    for message in [.promised(home: 900, waits: true)] + messages { tally.take(message, at: start) }
    tally.endLife(killed: killed, at: start + time)
    tally.recorded = recorded.union([900])
    return tally
  }

  private func ended(_ step: Int, _ ending: SoakMessage.Ending = .right) -> SoakMessage {
    .ended(step: step, ending, milliseconds: 2, user: 0, requests: step, isScreen: true)
  }

  private var remains: SoakMessage.Remains {
    SoakMessage.Remains(actions: "Actions: 0 waiting, 7 delivered, 0 set aside, 0 lost")
  }

  @Test("A step that has not ended is lost, unless the app was killed shortly after it began")
  func lost() {
    let messages: [SoakMessage] = [.began(step: 1), .began(step: 2), ended(1), .left(remains)]
    #expect(tally(messages).lost == 1 && tally(messages).complaints == ["1 steps never ended"])
    #expect(tally(messages, killed: true).cutOff == 1 && tally(messages, killed: true).complaints == [])
    #expect(tally(messages, killed: true, after: SoakTally.patience).lost == 1)
  }

  @Test("Faults don't explain that nearly all steps fail, or that no favourite is promised")
  func tooLittle() {
    let failures = (1...3).flatMap { [.began(step: $0), ended($0, .failed("connect"))] }
    let tally = tally(failures + [.began(step: 4), ended(4), .left(remains)])
    #expect(tally.complaints == ["only 1 of 4 steps were right"])
    #expect(tally.table.contains { $0.hasSuffix("  3 × connect") })
    #expect(SoakTally().complaints.contains("no favourite was promised"))
  }

  @Test("A step that ended twice, and one that shows something else, are wrong")
  func wrong() {
    let tally = tally([
      .began(step: 1), ended(1), ended(1), .began(step: 2), ended(2, .wrong("home 3")), .left(remains),
    ])
    #expect(tally.complaints == ["wrong: step 1 ended twice", "wrong: home 3"])
  }

  @Test(
    "A count in the app's own data that is not the last one kept, nor the next, is wrong",
    arguments: [(6, 1), (7, 0), (8, 0), (9, 1), (0, 1)])
  func kept(found: Int, wrong: Int) {
    let messages: [SoakMessage] = [.found(kept: 0), .kept(1), .kept(7), .found(kept: found), .left(remains)]
    #expect(tally(messages).wrong.count == wrong)
    #expect(tally(messages).kept == found)
  }

  @Test("A promised favourite that the server has not recorded is missing, also over a kill")
  func missing() {
    let messages: [SoakMessage] = [
      .promised(home: 4, waits: false), .promised(home: 5, waits: true), .left(remains),
    ]
    #expect(tally(messages, killed: true, recorded: [4]).missing == [5])
    #expect(tally(messages, recorded: [4, 5, 6]).complaints == [])
  }

  @Test("An app that starts with an older deployment than it had is wrong, unless the newer is held back")
  func deployments() {
    let messages: [SoakMessage] = [
      .startedWith(0, isHeldBack: false), .deployed(7), .startedWith(7, isHeldBack: false),
      .startedWith(6, isHeldBack: true), .began(step: 1), ended(1), .left(remains),
    ]
    #expect(tally(messages).complaints == [])
    #expect(
      tally(messages + [.startedWith(6, isHeldBack: false)]).complaints == [
        "wrong: the app started with deployment 6 instead of 7"
      ])
  }

  @Test("What is left at the end is a complaint each, and a run without an end is one")
  func left() {
    #expect(tally([]).complaints == ["the last run of the app did not end by itself"])
    let remains = SoakMessage.Remains(
      threads: 1, descriptors: 2, apps: 3, kibibytes: 4_096,
      actions: "Actions: 5 waiting, 0 delivered, 0 set aside, 0 lost", waiting: 6)
    let tally = tally([.left(remains)])
    #expect(
      tally.complaints == [
        "6 changes still wait",
        "not all actions were uploaded: Actions: 5 waiting, 0 delivered, 0 set aside, 0 lost",
        "1 threads are left", "2 descriptors are left", "3 apps were not released",
      ])
    #expect(tally.table.contains { $0.hasSuffix("1 threads, 2 descriptors, 3 apps, 4 MiB") })
  }

  @Test("Messages survive the way through a line, and other lines are none")
  func lines() {
    for message in [
      .began(step: 1), ended(2, .wrong("a\nb")), .promised(home: 3, waits: true), .left(remains),
      .deployed(.max), .startedWith(4, isHeldBack: true),
    ] {
      #expect(!message.line.contains("\n"))
      #expect(SoakMessage(line: message.line) == message)
    }
    #expect(SoakMessage(line: "warning: something") == nil && SoakMessage(line: "") == nil)
  }
}
