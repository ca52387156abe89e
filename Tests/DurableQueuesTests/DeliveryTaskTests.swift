import DurableQueues
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct DeliveryTaskTests {
  @Test("A task that is started again begins when the one before has ended")
  func restart() async throws {
    let running = WaitableValue<[Int]>([])
    let gate = WaitableValue(false)
    let task = DeliveryTask()
    func start(_ number: Int) {
      task.start(priority: .medium) {
        number
      } _: { number in
        running.update { $0.append(number) }
        // The first one doesn't end when it is cancelled.
        if number == 1 { await Task.detached { _ = try? await gate.wait { $0 } }.value }
        await #expect(throws: CancellationError.self) {
          try await waitUntil("the task is cancelled") { false }
        }
        running.update { $0.append(-number) }
      }
    }
    start(1)
    start(9)
    try await running.wait { $0 == [1] }
    async let stopped: Void = task.stop()
    await Task.yield()
    gate.update { $0 = true }
    await stopped
    start(2)
    try await running.wait { $0.contains(2) }
    await task.stop()
    await task.stop()
    #expect(running.value == [1, -1, 2, -2])
  }
}
