import Testing

@testable import Deployment

/// The time that a version is on trial.
@Suite struct TrialWatchTests {
  @Test("A version is confirmed only by both ten seconds in the foreground and the app's word")
  func both() {
    var watch = TrialWatch()
    watch.resume(at: .seconds(100))
    #expect(watch.wait(at: .seconds(100)) == .seconds(60))
    watch.giveWord()
    #expect(watch.wait(at: .seconds(102)) == .seconds(8))
    #expect(watch.verdict(at: .seconds(109)) == nil)
    #expect(watch.verdict(at: .seconds(110)) == .confirm)
  }

  @Test("Without the app's word a minute in the foreground ends the risk of a death, and no more")
  func withoutWord() {
    var watch = TrialWatch()
    watch.resume(at: .zero)
    #expect(watch.verdict(at: .seconds(59)) == nil)
    #expect(watch.verdict(at: .seconds(60)) == .close)
    #expect(watch.verdict(at: .seconds(61)) == nil)
    #expect(watch.wait(at: .seconds(61)) == nil)
    watch.giveWord()
    #expect(watch.verdict(at: .seconds(61)) == .confirm)
  }

  @Test("The time in the background does not count")
  func background() {
    var watch = TrialWatch()
    watch.giveWord()
    watch.resume(at: .zero)
    watch.pause(at: .seconds(4))
    #expect(watch.wait(at: .seconds(1_000)) == nil)
    #expect(watch.verdict(at: .seconds(1_000)) == nil)
    watch.resume(at: .seconds(1_000))
    watch.resume(at: .seconds(1_003))
    #expect(watch.wait(at: .seconds(1_003)) == .seconds(3))
    #expect(watch.verdict(at: .seconds(1_006)) == .confirm)
  }
}
