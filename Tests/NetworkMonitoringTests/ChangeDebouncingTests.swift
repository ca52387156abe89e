import Testing

@testable import NetworkMonitoring

@Suite struct ChangeDebouncingTests {
  private let wifi = NetworkState(kind: .wifi)
  private let cellular = NetworkState(kind: .cellular)
  private let wired = NetworkState(kind: .wired)

  @Test("The first state is published at once, a change after a second without a further one")
  func quiet() {
    var debouncing = ChangeDebouncing(quiet: .seconds(1))
    #expect(debouncing.receive(wifi, at: .zero) == .publish(wifi))
    #expect(debouncing.receive(cellular, at: .seconds(10)) == .wait(.seconds(1)))
    #expect(debouncing.receive(wired, at: .milliseconds(10_400)) == .none)
    #expect(debouncing.timerFired(at: .seconds(11)) == .wait(.milliseconds(400)))
    #expect(debouncing.timerFired(at: .milliseconds(11_400)) == .publish(wired))
    #expect(debouncing.timerFired(at: .seconds(12)) == .none)
  }

  @Test("A state that is reported again, or returns within a second, isn't published")
  func repetition() {
    var debouncing = ChangeDebouncing(quiet: .seconds(1))
    #expect(debouncing.receive(wifi, at: .zero) == .publish(wifi))
    #expect(debouncing.receive(wifi, at: .seconds(5)) == .none)
    #expect(debouncing.receive(cellular, at: .seconds(6)) == .wait(.seconds(1)))
    #expect(debouncing.receive(wifi, at: .milliseconds(6_500)) == .none)
    #expect(debouncing.timerFired(at: .milliseconds(7_500)) == .none)
    // A repetition doesn't prolong the wait.
    #expect(debouncing.receive(cellular, at: .seconds(8)) == .wait(.seconds(1)))
    #expect(debouncing.receive(cellular, at: .milliseconds(8_900)) == .none)
    #expect(debouncing.timerFired(at: .seconds(9)) == .publish(cellular))
  }

  @Test("A network that never becomes quiet is published after five seconds")
  func storm() {
    var debouncing = ChangeDebouncing(quiet: .seconds(1))
    _ = debouncing.receive(wired, at: .zero)
    #expect(debouncing.receive(wifi, at: .seconds(10)) == .wait(.seconds(1)))
    for tenth in 1...50 {
      let now = Duration.seconds(10) + .milliseconds(100) * tenth
      #expect(debouncing.receive(tenth.isMultiple(of: 2) ? wifi : cellular, at: now) == .none)
      let action = debouncing.timerFired(at: now)
      #expect((action == .publish(wifi)) == (tenth == 50))
    }
  }
}
