import EstateApp
import EstateNetwork
import Foundation
import Switchyard
import SwitchyardTesting
import Testing

@Suite("The server's two addresses", .timeLimit(.minutes(5)), .server)
final class AddressesTests: ServerTests {
  private let host = "api.estate.test"

  @Test("Requests go on over the other address when one is stopped, which the network screen shows")
  func failover() async throws {
    let shell = try server.shell(console, hasQueues: true, detail: .steps)
    let (first, second) = ("127.0.0.1:\(server.port)", "127.0.0.2:\(server.port)")
    await shell.openAll("estate://home/1", "estate://fault/address-down")
    // The connection that is open may still serve a request or two.
    var home = 2
    while !console.lines.contains(where: { $0.contains("HTTP/2 to \(second), ") }), home < 900 {
      #expect(await shell.open("estate://home/\(home)") == .done)
      shell.back()
      home += 1
    }
    // The address that is stopped is noticed by a request or a probe.
    try await waitUntil("the stopped address is paused") {
      if shell.addresses.statuses(of: host).contains(where: { $0.address == first && $0.pause != nil }) {
        return true
      }
      shell.addresses.measure()
      return false
    }
    #expect(await shell.open("estate://settings/network") == .done)
    let lines = console.screen
    #expect(lines.contains { $0.contains(first) && $0.contains("not used for ") }, "\(lines)")
    #expect(lines.first == "Addresses of \(host):")
    #expect(lines.count == 4, "\(lines)")
    let other = lines.first { $0.contains(second) }
    #expect(other?.contains("connects in ") == true && other?.hasSuffix("in use") == true, "\(lines)")
    await shell.openAll("estate://listings/condo", "estate://fault/address-up")
    // By the name localhost, which leads to the first address.
    #expect(await shell.open("estate://fault/untrusted") == .failed("tls_untrusted"))
    await shell.finish()
  }

  @Test("The list that the server has signed is stored, and used at the next start without the server")
  func list() async throws {
    let file = server.state + "/addresses-\(server.port)"
    let first = try server.shell(hasQueues: true, detail: .steps)
    // Fetched in the background.
    try await waitUntil("the list of addresses is stored") { FileManager.default.fileExists(atPath: file) }
    await first.finish()
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(
      text.contains("\napi.estate.test 127.0.0.1:\(server.port) 127.0.0.2:\(server.port)\n"), "\(text)")
    await server.stop(keepingState: true)
    let messages = RecordedMessages()
    let second = try server.shell(hasQueues: true, detail: .steps, logger: messages.logger(.info))
    #expect(messages.all.contains("the stored list of addresses has 3 hosts"), "\(messages.all)")
    await second.finish()
  }

  @Test("The machine's network is shown as it changes, and without one the server is still reached")
  func networkChange() async throws {
    let source = ManualNetworkSource(NetworkState(kind: .wifi))
    let messages = RecordedMessages()
    let shell = try server.shell(
      console, hasQueues: true, detail: .steps, source: source, logger: messages.logger(.info))
    for kind in [NetworkKind.wifi, .loopbackOnly] {
      source.update(NetworkState(kind: kind))
      let line = "This machine's network: \(kind)"
      // Reported after a second without a further change.
      try await waitUntil("the network is \(kind)") { shell.addresses.networkLine == line }
      #expect(await shell.open("estate://settings/network") == .done)
      #expect(console.screen.last == line[...])
    }
    for address in ["127.0.0.1", "127.0.0.2"] {
      let line = "a connection to \(address):\(server.port) is open after the change of the network"
      try await waitUntil("a connection to \(address) is open") { messages.all.contains(line) }
    }
    #expect(await shell.open("estate://overview") == .done)
    #expect(shell.navigator.state.top?.url == "estate://overview")
    #expect(await shell.open("estate://home/1") == .done)
    await shell.finish()
  }
}
