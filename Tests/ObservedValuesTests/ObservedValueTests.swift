import Observation
import ObservedValues
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct ObservedValueTests {
  /// Reads a value, and counts how often it is notified.
  @MainActor final class Reader {
    private(set) var notifications = 0

    func read(_ value: ObservedValue<Int>) -> Int {
      withObservationTracking {
        value.value
      } onChange: { [weak self] in
        MainActor.assumeIsolated { self?.notifications += 1 }
      }
    }
  }

  @Test("A reader is notified on the main actor, once for all changes from any thread")
  func notifications() async throws {
    let value = ObservedValue(0)
    let reader = Reader()
    #expect(reader.read(value) == 0)
    let setter = Task.detached { for number in 1...1_000 { value.update { $0 = number } } }
    // The main actor is free only here, so it takes over the value at least once, and a reader that doesn't
    // read again is notified once.
    await setter.value
    try await waitUntil("the latest value is shown") { value.value == 1_000 }
    #expect(reader.notifications == 1)
    #expect(reader.read(value) == 1_000)
  }

  @Test("A value stays the same while the main actor works on it, and changes afterwards")
  func steadiness() async throws {
    let value = ObservedValue(0)
    let reader = Reader()
    _ = reader.read(value)
    value.update { $0 = 1 }
    value.update { $0 += 1 }
    #expect(value.value == 0 && reader.notifications == 0)
    try await waitUntil("the latest value is shown") { value.value == 2 }
    #expect(reader.notifications == 1)
  }

  @Test("Values that are equal, or changed back before they are shown, notify no reader")
  func equalValues() async throws {
    let value = ObservedValue(0)
    let reader = Reader()
    _ = reader.read(value)
    value.update { $0 = 0 }
    value.update { $0 = 1 }
    value.update { $0 = 0 }
    // Jobs of the main actor are run in order, so those of the updates have run after this one.
    for _ in 0..<50 { await Task.yield() }
    #expect(reader.notifications == 0)
    value.update { $0 = 3 }
    try await waitUntil("the latest value is shown") { value.value == 3 }
    #expect(reader.notifications == 1)
  }

  @Test("A change that is not shown yet does not retain the value")
  func release() {
    weak var released: ObservedValue<Int>?
    do {
      let value = ObservedValue(0)
      released = value
      value.update { $0 = 1 }
    }
    #expect(released == nil)
  }
}
