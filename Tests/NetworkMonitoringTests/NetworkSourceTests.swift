import Interception
import SwitchyardTesting
import Testing

@testable import NetworkMonitoring

/// What every source of states must do.
@Suite(.timeLimit(.minutes(5)))
struct NetworkSourceTests {
  private static let sources: [any NetworkSource] = {
    #if os(Linux) || canImport(Network)
    [ManualNetworkSource(NetworkState(kind: .wired)), SystemNetworkSource()]
    #else
    [ManualNetworkSource(NetworkState(kind: .wired))]
    #endif
  }()

  @Test("A source reports a current state to each reader, and again to a later one", arguments: sources)
  func currentState(_ source: any NetworkSource) async throws {
    var (first, second) = (try source.states().makeAsyncIterator(), try source.states().makeAsyncIterator())
    let state = try #require(await first.next())
    #expect(state.kind != .unknown)
    #expect(await second.next()?.kind == state.kind)
    #expect(state.interfaces.map(\.name) == state.interfaces.map(\.name).sorted())
    #expect(state.interfaces.allSatisfy { !$0.addresses.isEmpty })
    var third = try source.states().makeAsyncIterator()
    #expect(await third.next()?.kind == state.kind)
  }

  @Test("A reader's cancellation ends its stream", arguments: sources)
  func cancellation(_ source: any NetworkSource) async throws {
    let states = try source.states()
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let reader = Task {
      for await _ in states { start.yield() }
      return true
    }
    for await _ in started { break }
    reader.cancel()
    #expect(await reader.value)
  }

  @Test("A manual source forgets a reader that has ended, and reports each state that is set")
  func manual() async throws {
    let source = ManualNetworkSource()
    do {
      var states = try source.states().makeAsyncIterator()
      #expect(source.readerCount == 1)
      source.update(NetworkState(kind: .wifi))
      #expect(await states.next()?.kind == .wifi)
    }
    #expect(source.readerCount == 0)
  }
}
