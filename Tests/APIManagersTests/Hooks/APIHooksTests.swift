import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct APIHooksTests {
  let diary = RecordingHooks.Diary()
  let listener = Listener()

  func manager(_ dispatcher: ScriptedDispatcher, inner: RecordingHooks, outer: RecordingHooks) -> APIManager<
    CondoList
  > {
    let manager = APIManager(CondoList(), client: APIClient(dispatcher: dispatcher, hooks: [outer]))
    manager.hooks = [inner]
    manager.delegate = listener
    listener.onDelivery = { [diary] _ in diary.lines.append("delegate") }
    return manager
  }

  @Test("B2: Every hook of a successful load is called, the manager's own hooks before the app's")
  func success() async throws {
    let outer = RecordingHooks("outer", diary: diary)
    let manager = manager(ScriptedDispatcher(), inner: RecordingHooks("inner", diary: diary), outer: outer)
    manager.load(Search())
    try await outer.wait(for: "afterSuccess")
    #expect(
      diary.lines == [
        "inner shouldLoad", "outer shouldLoad", "inner didSend", "outer didSend", "inner didReceive",
        "outer didReceive", "inner beforeSuccess", "outer beforeSuccess", "delegate", "inner afterSuccess",
        "outer afterSuccess",
      ])
  }

  @Test("B2: Every hook of a failed load is called")
  func failure() async throws {
    let outer = RecordingHooks("outer", diary: diary)
    let manager = manager(
      ScriptedDispatcher(answering: Response(status: .notFound)),
      inner: RecordingHooks("inner", diary: diary),
      outer: outer)
    manager.load(Search())
    try await outer.wait(for: "afterFailure")
    #expect(
      diary.lines == [
        "inner shouldLoad", "outer shouldLoad", "inner didSend", "outer didSend", "inner didReceive",
        "outer didReceive", "inner beforeFailure", "outer beforeFailure", "delegate", "inner afterFailure",
        "outer afterFailure",
      ])
  }

  @Test("B3: afterSuccess is called after the delegate")
  func afterDelivery() async throws {
    let inner = RecordingHooks("inner", diary: diary)
    let manager = manager(ScriptedDispatcher(), inner: inner, outer: RecordingHooks("outer", diary: diary))
    manager.load(Search())
    try await inner.wait(for: "afterSuccess")
    let delegate = try #require(diary.lines.firstIndex(of: "delegate"))
    let after = try #require(diary.lines.firstIndex(of: "inner afterSuccess"))
    #expect(delegate < after)
  }

  @Test("A veto names the hook, skips the hooks after it, and sends nothing")
  func veto() async throws {
    let dispatcher = ScriptedDispatcher()
    let outer = RecordingHooks("outer", diary: diary)
    let manager = manager(
      dispatcher, inner: RecordingHooks("LoginGate", diary: diary, refusing: ["shouldLoad"]), outer: outer)
    #expect(manager.load(Search()) == .vetoed(by: "LoginGate"))
    try await outer.wait(for: "afterFailure")
    #expect(diary.lines.prefix(2) == ["LoginGate shouldLoad", "LoginGate didReceive"])
    #expect(listener.deliveries.map { $0.failure?.kind } == [.vetoed(by: "LoginGate")])
    #expect(dispatcher.requests.isEmpty)
  }

  @Test(
    "B4: A veto of the delivery applies to delegate and async caller alike, and every hook is notified",
    arguments: [true, false])
  func vetoedDelivery(isSuccess: Bool) async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: isSuccess ? .ok : .notFound))
    let point = isSuccess ? "beforeSuccess" : "beforeFailure"
    let inner = RecordingHooks("Muffler", diary: diary, refusing: [point])
    let outer = RecordingHooks("outer", diary: diary)
    let manager = manager(dispatcher, inner: inner, outer: outer)
    manager.load(Search())
    try await inner.wait(for: point)
    await letOthersRun()
    #expect(listener.deliveries.isEmpty)
    #expect(
      diary.lines.suffix(5) == [
        "Muffler didReceive", "outer didReceive", "Muffler \(point)", "Muffler didWithhold by Muffler",
        "outer didWithhold by Muffler",
      ])
    await #expect {
      _ = try await manager.load(.response, for: Search())
    } throws: { error in
      (error as? APIError)?.kind == .vetoed(by: "Muffler")
    }
    #expect(listener.deliveries.isEmpty)
    for name in ["Muffler", "outer"] {
      #expect(diary.lines.count { $0 == "\(name) didWithhold by Muffler" } == 2)
    }
  }

  @Test("B2: The hooks are notified of requests that a released manager cancels, so none can stay counted")
  func release() async throws {
    let gate = Gate()
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      try await gate.pass(request)
      return Response(status: .ok)
    }
    let outer = RecordingHooks("outer", diary: diary)
    var manager: APIManager<CondoList>? = APIManager(
      CondoList(), client: APIClient(dispatcher: dispatcher, hooks: [outer]))
    manager?.hooks = [RecordingHooks("inner", diary: diary)]
    manager?.load(Search(page: 1))
    manager?.load(Search(page: 2))
    try await gate.waitForHeld(2)
    manager = nil
    try await outer.wait(for: "didRelease \(CondoList.identity) 2")
    try await gate.waitForCancellations(2)
    await letOthersRun()
    #expect(
      diary.lines.suffix(2) == ["inner", "outer"].map { "\($0) didRelease \(CondoList.identity) 2" })

    // Without a request in flight there is nothing to report.
    manager = APIManager(CondoList(), client: APIClient(dispatcher: ScriptedDispatcher(), hooks: [outer]))
    _ = try? await manager?.load(.response, for: Search())
    let count = diary.lines.count
    manager = nil
    await letOthersRun()
    #expect(diary.lines.count == count)
  }

  @Test("B7: didReceive is called for every result: responses, token errors, cancellations and refusals")
  func didReceive() async throws {
    let texts = ["[]", "token", "login"]
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: .ok, bytes: Array(texts[(number - 1) % texts.count].utf8))
    }
    let manager = APIManager(HouseList(), client: APIClient(dispatcher: dispatcher))
    manager.hooks = [RecordingHooks("inner", diary: diary)]
    manager.delegate = listener
    for count in 1...3 {
      manager.load(Search())
      try await listener.wait(for: count)
    }
    manager.load(Search(city: ""))
    manager.cancel(try #require(manager.load(Search()).request))
    try await listener.wait(for: 5)
    #expect(diary.lines.filter { $0 == "inner didReceive" }.count == 5)
    #expect(
      Set(listener.deliveries.compactMap { $0.failure?.kind }) == [
        .needsToken, .needsLogin, .invalidParams(field: "city"), .cancelled,
      ])
  }

  @Test(
    "B7: didReceive is called once for each way in which a load can end", arguments: AsyncFormTests.endings)
  func everyEnding(ending: AsyncFormTests.Ending) async throws {
    let manager = AsyncFormTests().manager(ending)
    manager.hooks = [RecordingHooks("Gate", diary: diary, refusing: ending.vetoes)]
    manager.delegate = listener
    manager.load(ending.params)
    try await listener.wait(for: 1)
    await letOthersRun()
    #expect(listener.deliveries.map { $0.failure?.kind } == [ending.kind])
    #expect(diary.lines.count { $0 == "Gate didReceive" } == 1)
  }
}
