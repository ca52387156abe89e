import EstateApp
import Foundation
import Screens
import Switchyard
import Testing

@Suite("The app with a host that prints JSON", .timeLimit(.minutes(5)), .server)
final class JSONHostTests: ServerTests {
  @Test("Every kind of screen is printed as JSON, from which the same content is read again")
  func screens() async throws {
    let printed = RecordingConsole()
    let shell = try server.shell(console, host: JSONHost(console: printed))
    func content(of url: String) async throws -> ScreenContent {
      #expect(await shell.open(url) == .done)
      let line = try #require(printed.lines.last)
      // Each of the routes is one of the app's.
      let decoder = ScreenDecoder(
        routes: shell.mediator, origin: .native(module: nil), kinds: EstateContent.kinds)
      let content = try decoder.screen(from: Array(line.utf8))
      let top = try #require(shell.navigator.state.top)
      #expect(content == (shell.navigator.screen(top.id) as? any ContentScreen)?.content)
      return content
    }
    let home = try await content(of: "estate://home/42")
    #expect(home.title == "Home #42, SACRAMENTO 95822")
    #expect(home.blocks.contains { ($0.own as? Plot)?.curves.count == 4 })
    let homes = try await content(of: "estate://browse?kind=condo&max=200000")
    #expect(homes.title == "Condos up to $200,000")
    #expect(homes.address == "estate://browse?kind=condo&max=200000")
    let cards = homes.blocks.compactMap { if case .cards(let cards, _, _, _) = $0 { cards } else { nil } }
    let pictures = cards.first?.compactMap { $0.picture?.content as? HomePicture }
    #expect(cards.first?.count == 10 && pictures?.map(\.kind) == Array(repeating: .condo, count: 10))
    let map = homes.blocks.compactMap { ($0.own as? PlaceMap)?.places }
    let listed = map.first?.filter { $0.role == .listed }.map(\.id)
    #expect(
      map.first?.count == 932 && listed.map(Set.init) == cards.first.map { Set($0.compactMap { Int($0.id) }) }
    )
    for url in ["estate://compare?homes=1,2", "estate://settings", "estate://about", "estate://overview"] {
      #expect(try await !content(of: url).blocks.isEmpty, "\(url)")
    }
  }
}
