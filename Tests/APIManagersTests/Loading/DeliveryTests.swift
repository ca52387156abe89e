import APIManagers
import Dispatch
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct DeliveryTests {
  let listener = Listener()
  let gate = Gate()

  @Test(
    "A7: Every request is delivered exactly once on the main actor, in whatever order they finish",
    arguments: 0..<4)
  func exactlyOnce(round: Int) async throws {
    let total = 240
    let dispatcher = ScriptedDispatcher { [gate] request, _ throws(NetworkError) in
      try await gate.pass(request)
      switch request.id.number % 3 {
      case 0: return Response(status: .ok)
      case 1: return Response(status: .internalServerError)
      default: throw NetworkError(.connect, "The connection was refused.")
      }
    }
    let client = APIClient(dispatcher: dispatcher)
    let managers = (0..<8).map { APIManager(CondoList(), client: client, name: "\($0)") }
    for manager in managers { manager.delegate = listener }
    var owners: [RequestID: String] = [:]
    var cancelled: Set<RequestID> = []
    for number in 0..<total {
      let manager = managers[number % managers.count]
      guard let request = manager.load(Search(page: number)).request else {
        Issue.record("The request was not sent.")
        continue
      }
      owners[request] = manager.identity.name
      // Some are cancelled before they are sent, others while they are in flight.
      if number % 11 == 0 {
        manager.cancel(request)
        cancelled.insert(request)
      }
    }
    // Released from several threads while the main actor is busy with deliveries.
    await withTaskGroup { group in
      for lane in 0..<4 {
        group.addTask { [gate, owners] in
          for request in owners.keys.filter({ $0.number % 4 == UInt64(lane) }).shuffled() {
            await #expect(throws: Never.self) {
              try await waitUntil("the request is held or cancelled") { gate.tryOpen(request) }
            }
          }
        }
      }
      for (index, manager) in managers.enumerated() where index.isMultiple(of: 2) { manager.cancelAll() }
    }
    try await listener.wait(for: total)
    await letOthersRun()
    #expect(listener.deliveries.count == total)
    for delivery in listener.deliveries {
      let owner = delivery.request.flatMap { owners.removeValue(forKey: $0) }
      #expect(owner == delivery.manager.name, "The result was delivered twice, or by another manager.")
    }
    #expect(owners.isEmpty)
    let cancelledDeliveries = listener.deliveries.filter { $0.request.map(cancelled.contains) ?? false }
    #expect(cancelledDeliveries.allSatisfy { $0.failure?.kind == .cancelled })
    #expect(managers.allSatisfy { !$0.isLoading })
  }

  @Test("A7: A released delegate is not called, and the load still succeeds")
  func weakDelegate() async throws {
    let manager = APIManager(Forecast(), client: APIClient(dispatcher: ScriptedDispatcher()))
    var screen: Listener? = Listener()
    manager.delegate = screen
    weak let weakScreen = screen
    screen = nil
    #expect(weakScreen == nil)
    let hooks = RecordingHooks()
    manager.hooks = [hooks]
    manager.load()
    try await hooks.wait(for: "afterSuccess")
    #expect(manager.lastResponse != nil)
  }

  @Test("A delegate may load again, cancel and release the manager during a delivery")
  func reentrancy() async throws {
    final class Screen {
      var manager: APIManager<CondoList>?
    }
    let screen = Screen()
    let dispatcher = ScriptedDispatcher()
    screen.manager = APIManager(CondoList(), client: APIClient(dispatcher: dispatcher))
    screen.manager?.delegate = listener
    listener.onDelivery = { [listener] manager in
      if listener.deliveries.count == 1 {
        screen.manager?.load(Search(page: 2))
      } else {
        screen.manager?.cancelAll()
        screen.manager = nil
      }
    }
    screen.manager?.load(Search(page: 1))
    try await listener.wait(for: 2)
    await letOthersRun()
    #expect(listener.deliveries.count == 2)
    #expect(dispatcher.requests.count == 2)
  }

  @Test("The pipeline and response validation run off the main actor")
  func offMainActor() async throws {
    struct Watched: API {
      static let endpoint = CondoList.endpoint
      func validate(_ response: APIResponse) throws(ResponseError) {
        if isOnMainActor() { throw .invalid("Validation ran on the main actor.") }
      }
    }
    DispatchQueue.main.setSpecific(key: mainQueueMark, value: true)
    #expect(isOnMainActor(), "The mark must identify the main actor.")
    let wasOnMain = Mutex(true)
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      let isOnMain = isOnMainActor()
      wasOnMain.withLock { $0 = isOnMain }
      return Response(status: .ok)
    }
    _ = try await APIManager(Watched(), client: APIClient(dispatcher: dispatcher)).load(
      .response, for: Search())
    #expect(!wasOnMain.withLock { $0 })
  }
}

// On Linux the main actor's jobs may run on any thread, but they always run on the main queue.
private let mainQueueMark = DispatchSpecificKey<Bool>()

private func isOnMainActor() -> Bool { DispatchQueue.getSpecific(key: mainQueueMark) ?? false }
