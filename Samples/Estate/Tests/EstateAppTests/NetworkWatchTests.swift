import Switchyard
import SwitchyardTesting
import Testing

@testable import EstateNetwork

@Suite("The watch of the network", .timeLimit(.minutes(5)))
struct NetworkWatchTests {
  @Test("It reports changes of the network, and describes the state")
  func changes() async throws {
    let source = ManualNetworkSource(NetworkState(kind: .wifi))
    let reports = RecordingConsole()
    let watch = NetworkWatch(NetworkMonitor(source: source, debounce: .zero)) { reports.write("changed") }
    #expect(watch.line == "This machine's network: unknown")
    try watch.start()
    try await waitUntil("the network is wifi") { watch.line == "This machine's network: wifi" }
    let interface = NetworkInterface(name: "eth0", kind: .wired, addresses: ["192.0.2.1"])
    let states = [
      (NetworkState(kind: .wired, interfaces: [interface]), "wired (eth0)"),
      (NetworkState(kind: .wifi), "wifi"),
    ]
    // A slow reader misses states that follow each other fast.
    try await waitUntil("a change is reported") {
      guard reports.lines.isEmpty else { return true }
      for (state, text) in states {
        source.update(state)
        try await waitUntil("the network is \(text)") { watch.line == "This machine's network: \(text)" }
      }
      return false
    }
  }
}
