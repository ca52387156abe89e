import EstateApp
import Screens
import Switchyard
import SwitchyardTesting
import Testing

@testable import Account

@Suite("The screen of favourites", .timeLimit(.minutes(5)))
@MainActor struct FavouritesScreenTests {
  private static let note = "A favourite was added meanwhile; open estate://favourites again."

  @Test("A change of the favourites is noted once, also one before the screen was created, and no other")
  func staleness() async throws {
    let tags = TagRegistry()
    let changes = tags.invalidations(of: [.favourites])
    await tags.invalidate(["rates"])
    await tags.invalidate([.favourites])
    let screen = FavouritesScreen([Favourite(id: 7, city: "LODI", price: 9)], changes: changes)
    let other = FavouritesScreen([], changes: tags.invalidations(of: [.favourites]))
    try await waitUntil("the first screen has its note") { screen.lines.count == 2 }
    #expect(screen.lines == ["#7    LODI                $9", Self.note])
    #expect(other.lines.count == 1)
    let changed = Count()
    screen.onChange = { changed.value += 1 }
    other.onChange = { changed.value += 1 }
    await tags.invalidate([.favourites])
    try await waitUntil("the second screen has its note") { other.lines.count == 2 }
    #expect(screen.lines.count == 2 && changed.value == 1)
  }

  @Test("An open list says that a favourite was added, and opened again it has it")
  func added() async throws {
    let server = try await RunningServer()
    let console = RecordingConsole()
    let shell = try server.shell(console, answers: [.demo])
    #expect(await shell.open("estate://favourites") == .done)
    #expect(await shell.open("estate://favourites/add/100000") == .failed("status_404"))
    #expect(!console.lines.contains { $0.contains(Self.note) })
    #expect(await shell.open("estate://favourites/add/7") == .done)
    // A task of the screen receives the invalidation.
    try await waitUntil("the screen has its note") { console.lines.contains { $0.contains(Self.note) } }
    let start = console.lines.count
    #expect(await shell.open("estate://favourites") == .done)
    #expect(console.lines[start...].contains { $0.hasPrefix("  │ #7 ") })
    #expect(!console.lines[start...].contains { $0.contains(Self.note) })
    await server.stop()
  }
}
