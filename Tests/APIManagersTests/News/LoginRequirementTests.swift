import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct LoginRequirementTests {
  @Test("A login is required once for many failures, until it is fulfilled; a late reader receives the state")
  func state() async {
    let login = LoginRequirement()
    var changes = login.changes.makeAsyncIterator()
    #expect(await changes.next() == false)
    for _ in 0..<3 { login.require() }
    #expect(login.isRequired)
    #expect(await changes.next() == true)
    var late = login.changes.makeAsyncIterator()
    #expect(await late.next() == true)
    login.fulfill()
    #expect(await changes.next() == false)
    #expect(!login.isRequired)
  }

  @Test(
    "A load that fails because the user must log in requires a login, and no other one does",
    arguments: [("login", true), ("token", false), ("refuse", false), ("[]", false)])
  func hooks(text: String, isRequired: Bool) async {
    let login = LoginRequirement()
    let dispatcher = ScriptedDispatcher(answering: Response(status: .ok, bytes: Array(text.utf8)))
    var client = APIClient(dispatcher: dispatcher)
    client.hooks = [login.hooks]
    let manager = APIManager(HouseList(), client: client)
    _ = try? await manager.load(.response, for: Search())
    #expect(login.isRequired == isRequired)
  }
}
