import EstateApp
import Switchyard
import Synchronization
import Testing

@Suite("The interactive app", .timeLimit(.minutes(5)), .server)
final class InteractiveTests: ServerTests {
  /// Types the lines and returns what each printed, without the lines of requests.
  private func type(_ lines: String...) async throws -> (printed: [[String]], state: NavigationState) {
    let shell = try server.shell(console)
    let reading = Mutex((next: 0, starts: [Int]()))
    await shell.interact {
      reading.withLock { reading in
        reading.starts.append(console.lines.count)
        defer { reading.next += 1 }
        return reading.next < lines.count ? lines[reading.next] : nil
      }
    }
    let starts = reading.withLock { $0.starts }
    let all = console.lines
    let state = shell.navigator.state
    return (zip(starts, starts.dropFirst()).map { Array(all[$0..<$1]) }, state)
  }

  @Test("help lists every command, and a word that is neither a URL nor a command is reported")
  func help() async throws {
    let (printed, _) = try await type("help", "hlep", "", "activity", "quit", "help")
    #expect(printed.count == 4)
    for command in [
      "back [SCREEN]", "root", "actions", "dismiss [all]", "close", "tab NAME", "stack", "routes",
      "check URL",
      "objects",
      "release [NAME]", "redirects revert|off", "metrics", "spans", "har FILE", "cache", "activity",
      "background",
      "foreground", "memory", "photos [PAGE]", "quit",
    ] {
      #expect(printed[0].filter { $0.hasPrefix("  \(command) ") }.count == 1, "\(command)")
    }
    #expect(printed[1] == ["  ! hlep is neither a URL nor a command; help lists the commands"])
    #expect(printed[2] == [])
    #expect(printed[3] == ["  the user's actions are not recorded"])
  }

  @Test("The photos of the homes on the screen are loaded once, until memory is low")
  func photos() async throws {
    let (printed, _) = try await type(
      "photos", "estate://listings/condo", "photos", "photos", "photos 2", "memory", "photos", "photos 99",
      "photos x")
    let refusal = ["  there is no such page of homes on the screen"]
    #expect(printed[0] == refusal && printed[8] == ["  ! x is not a number"])
    #expect(printed[7].contains(refusal[0]))
    for index in [2, 3, 4, 6] {
      let lines = printed[index]
      #expect(
        lines.count { $0.hasPrefix("  photo of #") } == 4 && !lines.contains { $0.hasPrefix("  ! ") },
        "\(lines)")
      // Each photo has twelve lines of 36 characters.
      #expect(lines.count { $0.count == 38 } >= 4 * 12, "\(lines)")
    }
    #expect(printed[3].contains { $0.contains(" decoded, 4 in memory, ") }, "\(printed[3])")
  }

  @Test("The screens of each tab are left one by one, together, or down to one of them")
  func screens() async throws {
    let (printed, state) = try await type(
      "estate://listings/condo", "estate://home/42", "estate://about", "stack", "back 2", "back 9", "back x",
      "root", "back", "dismiss", "dismiss all", "tab settings", "estate://settings", "stack", "tab cellar",
      "tab homes")
    #expect(
      printed[3] == [
        "  ▸ homes", "    #1 estate://listings/condo", "    #2 estate://home/42", "    #3 estate://about",
        "    members", "    settings",
      ])
    #expect(printed[4].contains { $0.contains("└─ 1 closed; 2 on the stack of homes ") })
    #expect(printed[5].first?.hasPrefix("  ! ") == true)
    #expect(printed[6] == ["  ! x is not a number; see stack"])
    #expect(printed[7].contains { $0.contains("└─ 1 closed; 1 on the stack of homes ") })
    for refused in [8, 9, 10] { #expect(printed[refused].first?.hasPrefix("  ! ") == true) }
    #expect(printed[11] == ["  (no screen is open)"])
    #expect(printed[12].contains { $0.contains("└─ pushed; 1 on the stack of settings ") })
    #expect(
      printed[13] == [
        "    homes", "    #1 estate://listings/condo", "    members", "  ▸ settings",
        "    #4 estate://settings",
      ])
    #expect(printed[14].first?.contains("cellar") == true)
    #expect(printed[15].contains { $0.contains("└─ tab homes; 1 on the stack of homes ") })
    #expect(state.selectedTab == "homes")
  }

  @Test("In the background nothing is shown, and the current screen when the app is visible again")
  func background() async throws {
    let (printed, state) = try await type(
      "estate://about", "background", "estate://about/sources", "foreground", "memory", "close")
    #expect(!printed[2].contains { $0.contains("┌─") })
    #expect(printed[3].contains { $0.contains("┌─ Sources ") })
    #expect(printed[3].contains { $0.contains("└─ 2 on the stack of homes ") })
    #expect(printed[5] == ["  (no screen is open)"])
    #expect(state.count == 0)
  }

  @Test("The routes, the parts of a URL and what was created are listed, and nothing is opened")
  func inspection() async throws {
    let (printed, state) = try await type(
      "routes", "check estate://listings/house?city=GALT#top", "check estate://logout",
      "check https://www.estate.test/homes/42", "check estate://home/x", "check", "objects",
      "estate://mortgage/quote?price=300000", "objects", "release nothing", "release", "objects",
      "redirects revert", "redirects off", "redirects")
    #expect(
      printed[0].contains(
        "  estate://mortgage/quote?price={price:int}&down={down:int?}&years={years:int?}; from the app and from "
          + "web; without down, years too"))
    #expect(printed[0].contains("  NoteRoute; by value"))
    #expect(printed[0].contains { $0.hasPrefix("  estate://topics/") && $0.hasSuffix("; only from Help") })
    #expect(
      printed[1].prefix(3) == ["  estate, listings / house", "  ? city = GALT", "  # top"]
        && printed[1].suffix(2) == [
          "  the app opens ListingsRoute of Listings", "  a link from outside is opened",
        ])
    #expect(
      printed[2] == [
        "  estate, logout", "  it matches estate://logout", "  the app opens LogoutRoute of Account",
        "  a link from outside is refused",
      ])
    #expect(
      printed[3].suffix(2) == ["  the app opens HomeRoute of HomeDetail", "  a link from outside is opened"])
    for wrong in [4, 5] {
      #expect(printed[wrong].contains { $0.hasPrefix("  ! ") })
      #expect(printed[wrong].last == "  a link from outside is refused")
    }
    #expect(printed[6] == ["  nothing was created yet"])
    #expect(printed[8].first?.contains("MortgageQuoting") == true)
    #expect(printed[9].first?.hasPrefix("  ! ") == true)
    #expect(printed[10].last?.hasPrefix("  released: ") == true)
    #expect(printed[11] == ["  nothing was created yet"])
    #expect(printed[14] == ["  ! say redirects revert or redirects off"])
    #expect(state.count == 0)
  }
}
