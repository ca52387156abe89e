import EstateApp
import Foundation
import Screens
import Switchyard
import TerminalScreens
import Testing

@testable import EstateWeb

@Suite("Screens whose content the server sends", .timeLimit(.minutes(5)), .server)
final class ServerScreenTests: ServerTests {
  private static let fallback = "A newer version of the app shows a walk through a house."

  @Test(
    "K6: An unknown block shows its fallback, and an action that does not resolve is refused before it is shown"
  )
  func terminalAndJSON() async throws {
    let printed = RecordingConsole()
    let shell = try server.shell(console, host: JSONHost(console: printed))
    #expect(await shell.open("estate://screens/buying") == .done)
    let top = try #require(shell.navigator.state.top)
    let content = try #require((shell.navigator.screen(top.id) as? any ContentScreen)?.content)
    #expect(content.title == "Buying a home" && content.origin == .external(.web(host: "api.estate.test")))
    #expect(TerminalText(content).lines.contains(Self.fallback))
    let offered = content.offeredRoutes.map(\.route)
    #expect(offered == ["estate://listings/condo", "estate://listings/house?city=…&max=…"])
    let json = try #require(printed.lines.last)
    #expect(json.contains("\"kind\":\"information\"") && json.contains(Self.fallback))
    #expect(!json.contains("film"))
    let count = printed.lines.count

    #expect(await shell.open("estate://screens/overreaching") == .failed("ScreenError"))
    #expect(shell.navigator.state.top?.id == top.id && printed.lines.count == count)
    let complaint = console.lines.last { $0.contains("blocks[0].action.route") }
    #expect(complaint?.contains("Line 4: ") == true && complaint?.contains("estate://logout") == true)
  }

  @Test("In a browser, what a server's screen offers is opened with the rights of the server's pages only")
  func rights() async throws {
    let pages = try await RunningPages(server)
    let page = try await pages.get("/screens/buying", site: "none")
    #expect(page.title == "Buying a home" && page.html.contains(Self.fallback))
    #expect(page.cards == [42, 7] && page.html.contains("<div class=\"picture\">"))
    let number = try #require(pages.shell.navigator.state.top?.id.number)
    // The app's own screens may do both.
    for url in ["estate://logout", "estate://settings"] {
      let refused = try await pages.post("/open", "url=\(url)&from=\(number)")
      #expect(refused.notice?.contains("No route matches") == true, "\(url)")
      #expect(pages.shell.navigator.state.top?.id.number == number)
    }
    let refused = try await pages.get(
      "/settings", referrer: "http://127.0.0.1:\(pages.port)/screens/buying")
    #expect(refused.status == 404)
    let listed = try await pages.post(
      "/form", "route=estate%3A%2F%2Flistings%2Fhouse&route.city=GALT&from=\(number)")
    #expect(listed.title?.hasPrefix("Houses in Galt") == true)
    let home = try await pages.get("/home/42", referrer: "http://127.0.0.1:\(pages.port)/screens/buying")
    #expect(home.title?.hasPrefix("Home #42") == true)
    await pages.stop()
  }
}
