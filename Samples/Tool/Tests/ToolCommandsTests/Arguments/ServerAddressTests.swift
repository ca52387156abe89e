import Testing
import ToolCommands

@Suite struct ServerAddressTests {
  @Test("Host and port are read from an authority, with or without brackets")
  func reading() {
    func parts(_ authority: String) -> String? {
      ServerAddress(authority: authority).map { "\($0.host) \($0.port.map { "\($0)" } ?? "-")" }
    }
    #expect(parts("a.test") == "a.test -")
    #expect(parts("a.test:8443") == "a.test 8443")
    #expect(parts("a.test:") == "a.test -")
    #expect(parts("[::1]:8443") == "::1 8443")
    #expect(parts("[::1]") == "::1 -")
    #expect(parts("::1") == "::1 -")
    for wrong in ["", ":1", "a:99999", "a:b", "[::1", "[::1]x"] { #expect(parts(wrong) == nil, "\(wrong)") }
  }
}
