import DNSBypass
import Interception
import Testing
import ToolCommands

@Suite struct AddressArgumentTests {
  @Test(
    "A host has one address or several, with or without ports",
    arguments: [
      ("api.test:203.0.113.7", "api.test", ["203.0.113.7"]),
      ("api.test:127.0.0.1:8080", "api.test", ["127.0.0.1:8080"]),
      ("api.test:::1", "api.test", ["::1"]), ("api.test:[::1]:8443", "api.test", ["[::1]:8443"]),
      ("api.test:2001:db8::7,10.0.0.1", "api.test", ["2001:db8::7", "10.0.0.1"]),
      ("api.test:443:127.0.0.1", "api.test:443", ["127.0.0.1"]),
      ("api.test:8443:127.0.0.1,127.0.0.2", "api.test:8443", ["127.0.0.1", "127.0.0.2"]),
    ])
  func forms(text: String, host: String, addresses: [String]) throws {
    let argument = try AddressArgument(text)
    #expect(argument.host == host)
    #expect(argument.addresses == addresses)
  }

  @Test(
    "What names no address is refused as a wrong command line",
    arguments: [
      "", "api.test", "api.test:", ":127.0.0.1", "api.test:localhost", "api.test:1.2.3.4,", "a b:1.2.3.4",
    ])
  func faults(text: String) {
    let failure = #expect(throws: ToolFailure.self) { try AddressArgument(text) }
    #expect(failure?.status == .usage)
  }

  @Test("Arguments for one host are joined, and an address that is given twice is refused")
  func table() throws {
    let arguments = [try AddressArgument("a.test:127.0.0.1"), try AddressArgument("a.test:127.0.0.2")]
    let table = try AddressArgument.table(of: arguments)
    let expected = try AddressTable(["a.test": ["127.0.0.1", "127.0.0.2"]], allowing: [.loopback])
    #expect(table == expected)
    let failure = #expect(throws: ToolFailure.self) {
      try AddressArgument.table(of: [arguments[0], arguments[0]])
    }
    #expect(failure?.status == .usage)
  }
}
