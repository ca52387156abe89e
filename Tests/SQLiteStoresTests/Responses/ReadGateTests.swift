#if SQLite
import Testing

@testable import SQLiteStores

@Suite struct ReadGateTests {
  /// A state of a store, and when the responses for the key 1 may be read in it.
  struct State: Sendable {
    var isOpen = true
    var isPaused = false
    /// The keys with a response that waits to be written.
    var waiting: [Int64] = []
    /// Those that are written since.
    var written: [Int64] = []
    /// When a read may begin that has not waited, and one that has.
    var admissions: (ReadGate.Admission, ReadGate.Admission)
  }

  @Test(
    "A read waits for the store's thread before it is open, while the log is emptied, and for its own key",
    arguments: [
      State(admissions: (.now, .now)),
      State(isOpen: false, admissions: (.later, .never)),
      State(isOpen: false, isPaused: true, admissions: (.later, .never)),
      State(isPaused: true, admissions: (.later, .later)),
      State(waiting: [1], admissions: (.later, .now)),
      State(waiting: [2], admissions: (.now, .now)),
      State(waiting: [1], written: [1], admissions: (.now, .now)),
      State(waiting: [1, 1], written: [1], admissions: (.later, .now)),
      State(waiting: [1, 1], written: [1, 1], admissions: (.now, .now)),
      State(waiting: [1, 2], written: [2], admissions: (.later, .now)),
      State(isPaused: true, waiting: [1], admissions: (.later, .later)),
      // One that was never announced.
      State(waiting: [1], written: [2], admissions: (.later, .now)),
    ])
  func admission(_ state: State) {
    var gate = ReadGate()
    gate.isPaused = state.isPaused
    for key in state.waiting { gate.willWrite(key) }
    for key in state.written { gate.didWrite(key) }
    #expect(gate.admission(of: 1, isOpen: state.isOpen, isAfterWrites: false) == state.admissions.0)
    #expect(gate.admission(of: 1, isOpen: state.isOpen, isAfterWrites: true) == state.admissions.1)
  }
}
#endif
