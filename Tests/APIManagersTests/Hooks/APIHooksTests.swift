import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct APIHooksTests {
  let diary = JointPoints.Diary()
  let listener = Listener()

  func manager(_ dispatcher: ScriptedDispatcher, inner: JointPoints, outer: JointPoints) -> APIManager<
    CondoList
  > {
    let manager = APIManager(CondoList(), in: HostApp(dispatcher: dispatcher, hooks: [outer]))
    manager.hooks = [inner]
    manager.delegate = listener
    listener.onDelivery = { [diary] _ in diary.lines.append("delegate") }
    return manager
  }

  @Test("B2: Every hook of a successful load is called, the manager's own hooks before the app's")
  func success() async {
    let outer = JointPoints("outer", diary: diary)
    let manager = manager(ScriptedDispatcher(), inner: JointPoints("inner", diary: diary), outer: outer)
    manager.load(Search())
    await outer.wait(for: "afterSuccess")
    #expect(
      diary.lines == [
        "inner shouldCall", "outer shouldCall", "inner afterCall", "outer afterCall", "inner didReceive",
        "outer didReceive", "inner beforeSuccess", "outer beforeSuccess", "delegate", "inner afterSuccess",
        "outer afterSuccess",
      ])
  }

  @Test("B2: Every hook of a failed load is called")
  func failure() async {
    let outer = JointPoints("outer", diary: diary)
    let manager = manager(
      ScriptedDispatcher(answering: Response(status: .notFound)), inner: JointPoints("inner", diary: diary),
      outer: outer)
    manager.load(Search())
    await outer.wait(for: "afterFailure")
    #expect(
      diary.lines.dropFirst(4) == [
        "inner didReceive", "outer didReceive", "inner beforeFailure", "outer beforeFailure", "delegate",
        "inner afterFailure", "outer afterFailure",
      ])
  }

  @Test("B3: afterSuccess is called after the delegate")
  func afterDelivery() async throws {
    let inner = JointPoints("inner", diary: diary)
    let manager = manager(ScriptedDispatcher(), inner: inner, outer: JointPoints("outer", diary: diary))
    manager.load(Search())
    await inner.wait(for: "afterSuccess")
    let delegate = try #require(diary.lines.firstIndex(of: "delegate"))
    let after = try #require(diary.lines.firstIndex(of: "inner afterSuccess"))
    #expect(delegate < after)
  }

  @Test("A veto names the hook, skips the hooks after it, and sends nothing")
  func veto() async {
    let dispatcher = ScriptedDispatcher()
    let outer = JointPoints("outer", diary: diary)
    let manager = manager(
      dispatcher, inner: JointPoints("LoginGate", diary: diary, refusing: ["shouldCall"]), outer: outer)
    #expect(manager.load(Search()) == .vetoed(by: "LoginGate"))
    await outer.wait(for: "afterFailure")
    #expect(diary.lines.prefix(2) == ["LoginGate shouldCall", "LoginGate didReceive"])
    #expect(listener.deliveries.map { $0.failure?.kind } == [.vetoed(by: "LoginGate")])
    #expect(dispatcher.requests.isEmpty)
  }

  @Test(
    "B4: A veto of the delivery applies to delegate and async caller alike, and didReceive is still called",
    arguments: [true, false])
  func vetoedDelivery(isSuccess: Bool) async {
    let dispatcher = ScriptedDispatcher(answering: Response(status: isSuccess ? .ok : .notFound))
    let point = isSuccess ? "beforeSuccess" : "beforeFailure"
    let inner = JointPoints("Muffler", diary: diary, refusing: [point])
    let manager = manager(dispatcher, inner: inner, outer: JointPoints("outer", diary: diary))
    manager.load(Search())
    await inner.wait(for: point)
    await letOthersRun()
    #expect(listener.deliveries.isEmpty)
    #expect(diary.lines.contains("outer didReceive"))
    #expect(!diary.lines.contains { $0.contains("afterSuccess") || $0.contains("afterFailure") })
    await #expect {
      _ = try await manager.response(for: Search())
    } throws: { error in
      (error as? APIFailure)?.kind == .vetoed(by: "Muffler")
    }
  }

  @Test("B7: didReceive is called for every result: answers, token errors, cancellations and refusals")
  func didReceive() async throws {
    let texts = ["[]", "token", "login"]
    let dispatcher = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: .ok, bytes: Array(texts[(number - 1) % texts.count].utf8))
    }
    let manager = APIManager(HouseList(), in: HostApp(dispatcher: dispatcher))
    manager.hooks = [JointPoints("inner", diary: diary)]
    manager.delegate = listener
    for count in 1...3 {
      manager.load(Search())
      await listener.wait(for: count)
    }
    manager.load(Search(city: ""))
    manager.cancel(try #require(manager.load(Search()).request))
    await listener.wait(for: 5)
    #expect(diary.lines.filter { $0 == "inner didReceive" }.count == 5)
    #expect(
      Set(listener.deliveries.compactMap { $0.failure?.kind }) == [
        .needsToken, .needsLogin, .invalidParams(field: "city"), .cancelled,
      ])
  }
}
