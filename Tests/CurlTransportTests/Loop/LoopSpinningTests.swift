import Testing

@testable import CurlTransport

@Suite struct LoopSpinningTests {
  private let first = TransferID(number: 1)
  private let second = TransferID(number: 2)

  private func spins(_ spinning: inout LoopSpinning, isIdle: Bool = true, hasCommand: Bool = false) -> Bool {
    spinning.shouldSpin(isIdle: isIdle, hasCommand: hasCommand)
  }

  @Test("The thread spins once after a response, and not without an occasion")
  func response() {
    var spinning = LoopSpinning(isEnabled: true)
    #expect(spins(&spinning) == false)
    spinning.noteStart(inFlight: 1)
    spinning.noteResponse()
    #expect(spins(&spinning) == true)
    #expect(spins(&spinning) == false)
  }

  @Test("A command does not keep the thread from spinning after a response, only after received bytes")
  func command() {
    var spinning = LoopSpinning(isEnabled: true)
    spinning.noteResponse()
    #expect(spins(&spinning, hasCommand: true) == true)
    for _ in 0..<2 { spinning.noteBytes(of: first) }
    #expect(spins(&spinning, hasCommand: true) == false)
    // The occasion remains until the command was carried out; the first bytes came from a new connection.
    #expect(spins(&spinning) == false)
    spinning.noteBytes(of: first)
    spinning.noteResponse()
    #expect(spins(&spinning, hasCommand: true) == false)
    #expect(spins(&spinning) == true)
  }

  @Test("While transfers run, the thread does not spin, and the occasion has passed")
  func running() {
    var spinning = LoopSpinning(isEnabled: true)
    spinning.noteResponse()
    #expect(spins(&spinning, isIdle: false) == false)
    #expect(spins(&spinning) == false)
  }

  @Test("Bytes of several connections in turn are no occasion, those of one are")
  func connections() {
    var spinning = LoopSpinning(isEnabled: true)
    for id in [first, second, first] {
      spinning.noteBytes(of: id)
      #expect(spinning.isLatest(id))
      #expect(!spinning.isLatest(id == first ? second : first))
      #expect(spins(&spinning) == false)
    }
    spinning.noteBytes(of: first)
    #expect(spins(&spinning) == true)
  }

  @Test("A thread whose spinning is turned off never spins")
  func disabled() {
    var spinning = LoopSpinning(isEnabled: false)
    spinning.noteResponse()
    #expect(spins(&spinning) == false)
  }
}
