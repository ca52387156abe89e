import APIManagers
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ChainTests {
  @Test(
    "A20: Each step of a chain receives what the previous one returned; the first failure ends it, and is named"
  )
  func row() async throws {
    let chain = Chain("token") { "secret" }
      .then("account") { $0.count }
      .then("houses") { count in (0..<count).map(Row.init(id:)) }
    #expect(try await chain.value() == [0, 1, 2, 3, 4, 5])
    #expect(try await chain.value().count == 6, "A chain can be run again.")

    let log = WaitableValue<[String]>([])
    let failing = Chain("first") { log.update { $0.append("first") } }
      .then("second") { _ -> Int in throw PageFailure(number: 2) }
      .then("third") { _ in log.update { $0.append("third") } }
    do throws(ChainError) {
      try await failing.value()
      Issue.record("The failure should be thrown.")
    } catch {
      #expect(error.step == 2 && error.name == "second")
      #expect(error.underlying as? PageFailure == PageFailure(number: 2))
      #expect("\(error)".hasPrefix("Step 2, \"second\", failed"))
    }
    #expect(log.value == ["first"])
  }

  @Test("Cancelling the caller's task cancels the step in progress, and no further one starts")
  func cancellation() async throws {
    let state = WaitableValue((started: 0, mayGo: false))
    let chain = Chain("first") {
      state.update { $0.started += 1 }
      try await state.wait { $0.mayGo }
    }
    .then("second") { _ in state.update { $0.started += 1 } }
    let task = Task { try await chain.value() }
    try await state.wait { $0.started == 1 }
    task.cancel()
    do {
      try await task.value
      Issue.record("The cancellation should be thrown.")
    } catch let error as ChainError {
      #expect(error.step == 1 && error.underlying is CancellationError)
    }
    #expect(state.value.started == 1)
  }

  @Test("A step that ignores the cancellation is the last one")
  func stubborn() async throws {
    let state = WaitableValue((started: 0, mayGo: false))
    let chain = Chain("first") {
      state.update { $0.started += 1 }
      _ = await Task { try? await state.wait { $0.mayGo } }.value
    }
    .then("second") { _ in state.update { $0.started += 1 } }
    let task = Task { try await chain.value() }
    try await state.wait { $0.started == 1 }
    task.cancel()
    state.update { $0.mayGo = true }
    do {
      try await task.value
      Issue.record("The cancellation should be thrown.")
    } catch let error as ChainError {
      #expect(error.step == 2 && error.underlying is CancellationError)
    }
    #expect(state.value.started == 1)
  }
}
