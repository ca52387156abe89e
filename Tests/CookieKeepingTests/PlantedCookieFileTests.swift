import CommandRunning
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import CookieKeeping

@Suite("A cookie file that another user has planted", .timeLimit(.minutes(5)))
struct PlantedCookieFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.appending(path: "cookies").path }
  private var precious: String { folder.url.appending(path: "precious").path }
  private static let time = TimeSource(TestClock(), wall: { WallTime(secondsSince1970: 1_700_000_000) })
  private static let request = Request(authority: "estate.example", path: "/")

  init() throws { folder = try TemporaryFolder(prefix: "planted-cookies") }

  @Test(
    "It is not read unless it is the user's own file with a second name, and is replaced by a new file",
    arguments: PlantedFile.allCases.filter { $0 != .fifo })
  func planted(plant: PlantedFile) throws {
    let store = CookieStore(file: path, time: Self.time) { Issue.record("\($0)") }
    store.store(["id=hers; Max-Age=60"], from: Self.request)
    try plant.make(at: path, precious: precious)
    let before = try Data(contentsOf: URL(filePath: precious))
    let faults = Mutex<[String]>([])
    let next = CookieStore(file: path, time: Self.time) { fault in faults.withLock { $0.append("\(fault)") } }
    // A second name of the user's own file has the user's own cookies.
    #expect(next.isEmpty == (plant != .hardLink))
    let texts = faults.withLock { $0 }
    #expect(texts.count == (plant == .hardLink ? 0 : 1))
    #expect(texts.allSatisfy { $0.contains(plant.rawValue) && $0.contains(path) })
    next.store(["new=1; Max-Age=60"], from: Self.request)
    #expect(FileStatus(at: path)?.finding(for: .writing) == nil)
    let last = CookieStore(file: path, time: Self.time) { Issue.record("\($0)") }
    #expect(last.cookies().contains { $0.name == "new" })
    #expect(try Data(contentsOf: URL(filePath: precious)) == before)
    #expect(!FileManager.default.fileExists(atPath: precious + ".none"))
  }

  // It may as well be a device that the app names by mistake, which nothing must replace.
  @Test("A FIFO is neither read nor replaced, and each is reported")
  func fifo() throws {
    try PlantedFile.fifo.make(at: path, precious: precious)
    let faults = Mutex<[String]>([])
    let store = CookieStore(file: path, time: Self.time) { fault in faults.withLock { $0.append("\(fault)") }
    }
    store.store(["new=1; Max-Age=60"], from: Self.request)
    let texts = faults.withLock { $0 }
    #expect(
      texts.count == 2 && texts.allSatisfy { $0.contains(PlantedFile.fifo.rawValue) && $0.contains(path) })
    #expect(FileStatus(at: path)?.kind == .other)
    #expect(store.cookies().map(\.name) == ["new"])
  }
}
