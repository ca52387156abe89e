import EstateApp
import Switchyard
import Testing

@Suite("Browsing homes", .timeLimit(.minutes(5)), .server)
final class BrowsingTests: ServerTests {
  @Test("The list grows by URL to its last page, is refreshed past the cache, and filtered")
  func pages() async throws {
    let shell = try server.shell(console)
    for url in ["more", "refresh", "filter?city=GALT"] {
      #expect(await shell.open("estate://browse/\(url)") == .failed("BrowsingFault"))
    }
    #expect(await shell.open("estate://browse?city=GALT") == .done)
    #expect(console.screen.last == "10 of 21 homes, page 1")
    #expect(await shell.open("estate://browse/more") == .done)
    #expect(console.screen.last == "20 of 21 homes, page 2")
    #expect(await shell.open("estate://browse/more") == .done)
    #expect(console.screen.suffix(2) == ["21 of 21 homes, page 3", "This is the last page."])
    #expect(await shell.open("estate://browse/more") == .failed("BrowsingFault"))
    #expect(await shell.open("estate://browse?city=GALT") == .done)
    #expect(console.lines.last { $0.contains("/v1/houses") }?.contains("cache: hit") == true)
    #expect(await shell.open("estate://browse/refresh") == .done)
    #expect(console.screen.last == "10 of 21 homes, page 1")
    #expect(console.lines.last { $0.contains("/v1/houses") }?.contains("cache: hit") == false)
    #expect(await shell.open("estate://browse/filter?city=GALT&beds=4") == .done)
    #expect(console.screen.suffix(2) == ["10 of 10 homes, page 1", "This is the last page."])
    #expect(await shell.open("estate://browse/filter?beds=-1") == .failed("invalid_params"))
    #expect(console.screen.last == "Say estate://browse/more to try again.")
    #expect(shell.summary.hasSuffix(", 5 errors"))
  }

  @Test("Homes are compared side by side, and one that does not exist fails alone")
  func comparison() async throws {
    let shell = try server.shell(console)
    #expect(await shell.open("estate://compare?homes=42,100000,1") == .done)
    let lines = console.screen
    #expect(lines.map { $0.prefix { $0 != " " } } == ["#42", "#100000", "#1"])
    #expect(lines[0].contains("$154,000") && lines[2].contains("$59,222"))
    #expect(lines[1].contains("not loaded: ") && lines[1].contains("404"))
  }
}
