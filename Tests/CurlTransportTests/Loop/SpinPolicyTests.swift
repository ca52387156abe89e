import Testing

@testable import CurlTransport

@Suite("A spin policy", .timeLimit(.minutes(5)))
struct SpinPolicyTests {
  @Test("Spins as long as it succeeds")
  func succeeds() {
    var policy = SpinPolicy(isEnabled: true)
    for _ in 0..<1000 {
      let spins = policy.shouldSpin()
      #expect(spins)
      policy.record(success: true)
    }
  }

  @Test("Spins rarely after two misses, and always again after a success")
  func misses() {
    var policy = SpinPolicy(isEnabled: true)
    var spins = 0
    for _ in 0..<1000 where policy.shouldSpin() {
      spins += 1
      policy.record(success: false)
    }
    #expect((2...20).contains(spins))
    while !policy.shouldSpin() {}
    policy.record(success: true)
    let spinsAgain = policy.shouldSpin()
    #expect(spinsAgain)
  }

  @Test("Does not spin after requests that were in flight together")
  func concurrency() {
    var policy = SpinPolicy(isEnabled: true)
    for inFlight in [1, 2, 1] { policy.note(inFlight: inFlight) }
    let spinsAfterTwo = policy.shouldSpin()
    policy.note(inFlight: 1)
    let spinsAfterOne = policy.shouldSpin()
    #expect(!spinsAfterTwo && spinsAfterOne)
  }

  @Test("Never spins when it is turned off")
  func disabled() {
    var policy = SpinPolicy(isEnabled: false)
    for _ in 0..<1000 {
      let spins = policy.shouldSpin()
      #expect(!spins)
    }
  }

  @Test("Spinning ends with the condition, or else with the time")
  func ends() {
    var looks = 0
    #expect(
      SpinPolicy.spin(.seconds(60)) {
        looks += 1
        return looks == 1_000
      })
    #expect(looks == 1_000)
    #expect(!SpinPolicy.spin(.microseconds(10)) { false })
  }
}
