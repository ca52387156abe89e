import CommandRunning
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import CookieKeeping

@Suite(.timeLimit(.minutes(5)))
struct CookieStoreTests {
  /// A store over a file in a temporary folder, with the faults that it reports.
  private final class Fixture: Sendable {
    let folder: TemporaryFolder
    let faults = Mutex<[CookieFileError]>([])
    let time = TimeSource(TestClock(), wall: { WallTime(secondsSince1970: 1_700_000_000) })

    init() throws { folder = try TemporaryFolder(prefix: "cookies") }

    var path: String { folder.url.appending(path: "cookies").path }
    var files: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    func store(path: String? = nil, maximumSize: Int = CookieFile.maximumSize) -> CookieStore {
      CookieStore(file: CookieFile(path: path ?? self.path, maximumSize: maximumSize), time: time) { fault in
        self.faults.withLock { $0.append(fault) }
      }
    }
  }

  private static func request(_ partition: String = "", host: String = "estate.example") -> Request {
    var request = Request(authority: host, path: "/")
    request.context.partition = partition
    return request
  }

  @Test("Partitions don't share cookies, and are removed one by one or together")
  func partitions() {
    let store = CookieStore()
    #expect(store.isEmpty)
    store.store(["id=north"], from: Self.request("north"))
    store.store(["id=south", "x=1"], from: Self.request("south"))
    #expect(!store.isEmpty)
    func field(_ partition: String) -> String? {
      store.field(for: Self.request().head, in: partition)?.description
    }
    #expect([field("north"), field("south"), field("")] == ["id=north", "id=south; x=1", nil])
    #expect(store.cookies(in: "south").map(\.name) == ["id", "x"])
    store.removeAll(in: "south")
    #expect([field("north"), field("south")] == ["id=north", nil])
    store.removeAll()
    #expect(store.isEmpty && store.cookies(in: "north").isEmpty)
  }

  @Test("I2: The cookies of a login without a name are not written to the file")
  func unnamedLogin() throws {
    let fixture = try Fixture()
    let store = fixture.store()
    let (unnamed, named) = (
      Self.request().identified(as: .unnamed()), Self.request().identified(as: .account("7"))
    )
    store.store(["id=1; Max-Age=9"], from: unnamed)
    #expect(store.cookies(in: unnamed.context.partition).map(\.value) == ["1"])
    #expect(try fixture.files.isEmpty)
    store.store(["id=2; Max-Age=9"], from: named)
    let restored = fixture.store()
    #expect(restored.cookies(in: unnamed.context.partition).isEmpty)
    #expect(restored.cookies(in: "7").map(\.value) == ["2"])
    // The partition that the caller has chosen is the account's.
    store.store(["id=3; Max-Age=9"], from: Self.request("mine").identified(as: .unnamed()))
    #expect(fixture.store().cookies(in: "mine").map(\.value) == ["3"])
    #expect(fixture.faults.withLock { $0.isEmpty })
  }

  @Test("H4: Without a list of public suffixes, a cookie with a Domain is sent to the host that set it only")
  func hostsOnly() throws {
    let fixture = try Fixture()
    let store = CookieStore()
    let listed = CookieStore(publicSuffixes: PublicSuffixes(list: "co.uk"))
    let filed = CookieStore(
      file: fixture.path, publicSuffixes: .singleLabels, time: fixture.time
    ) { Issue.record($0) }
    func fields(_ store: CookieStore) -> [String?] {
      ["a.co.uk", "www.a.co.uk", "b.co.uk"].map { host in
        store.field(for: Self.request(host: host).head, in: "")?.description
      }
    }
    for store in [store, listed, filed] {
      store.store(
        ["all=1; Domain=co.uk; Max-Age=9", "site=2; Domain=a.co.uk; Max-Age=9"],
        from: Self.request(host: "a.co.uk"))
    }
    #expect(fields(store) == ["all=1; site=2", nil, nil])
    #expect(fields(listed) == ["site=2", "site=2", nil])
    // Neither are those sent that a file has from a store with other suffixes.
    #expect(fields(filed) == ["all=1; site=2", "all=1; site=2", "all=1"])
    #expect(fields(fixture.store()) == ["site=2", nil, nil])
    // A server that gives a cookie a Domain removes the one without it.
    store.removeAll()
    store.store(["id=1; Domain=a.co.uk", "id=; Max-Age=0"], from: Self.request(host: "a.co.uk"))
    #expect(fields(store) == ["id=1", nil, nil])
  }

  @Test("H4: Persistent cookies survive in a file that only its owner can read; session cookies don't")
  func restart() throws {
    let fixture = try Fixture()
    let store = fixture.store()
    #expect(try fixture.files == [])
    store.store(["session=1"], from: Self.request("north"))
    #expect(try fixture.files == [])
    store.store(
      [
        "id=kept; Max-Age=60; Secure; HttpOnly; SameSite=Strict",
        "also=kept; Domain=estate.example; Max-Age=60",
      ],
      from: Self.request("north"))
    store.store(["id=south; Max-Age=60"], from: Self.request("south"))
    #expect(try fixture.files == ["cookies"])
    let mode = try FileManager.default.attributesOfItem(atPath: fixture.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)

    let again = fixture.store()
    #expect(again.cookies(in: "north") == store.cookies(in: "north").filter(\.isPersistent))
    #expect(again.field(for: Self.request().head, in: "north") == "id=kept; also=kept")
    #expect(again.field(for: Self.request().head, in: "south") == "id=south")

    again.store(["id=; Max-Age=0"], from: Self.request("north"))
    again.removeAll(in: "south")
    #expect(fixture.store().cookies(in: "north").map(\.name) == ["also"])
    #expect(fixture.store().cookies(in: "south").isEmpty)
    again.removeAll()
    #expect(fixture.store().isEmpty)
    #expect(fixture.faults.withLock(\.self) == [])
  }

  @Test("A damaged line loses only its cookie; the file as it was gets another name, which the fault states")
  func damagedLine() throws {
    let fixture = try Fixture()
    fixture.store().store(["id=1; Max-Age=60"], from: Self.request("north"))
    fixture.store().store(["id=2; Max-Age=60"], from: Self.request("south"))
    let text = try String(contentsOfFile: fixture.path, encoding: .utf8)
      .replacingOccurrences(of: "north\tid", with: "north\tsecret=id")
    try Data(text.utf8).write(to: URL(filePath: fixture.path))
    let store = fixture.store()
    #expect(store.cookies(in: "north").isEmpty)
    #expect(store.cookies(in: "south").map(\.value) == ["2"])
    let copy = fixture.path + ".damaged-1"
    #expect(
      fixture.faults.withLock(\.self) == [.damaged(path: fixture.path, line: 2, read: 1, setAside: copy)])
    #expect(fixture.faults.withLock { "\($0)".contains(copy) && !"\($0)".contains("secret") })
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == text)
    // The new file needs no change of a cookie, and has no fault.
    #expect(fixture.store().cookies(in: "south").map(\.value) == ["2"])
    #expect(fixture.faults.withLock(\.count) == 1)
    // A logout takes the account's lines from the copy, too, and no other ones.
    store.removeAll(in: "north")
    #expect(try String(contentsOfFile: copy, encoding: .utf8).contains("secret") == false)
    #expect(try String(contentsOfFile: copy, encoding: .utf8).contains("south\tid\t2"))
    store.removeAll()
    #expect(try fixture.files == ["cookies"])
  }

  @Test(
    "A file of which nothing can be read is set aside, and never overwritten",
    arguments: [
      "", "switchyard cookies 2\n", "a text", "switchyard cookies 1\nid\tsecret\nend 1\n",
      "switchyard cookies 1\n",
    ])
  func damagedFile(_ text: String) throws {
    let fixture = try Fixture()
    try Data(text.utf8).write(to: URL(filePath: fixture.path))
    let store = fixture.store()
    #expect(store.isEmpty)
    let copy = fixture.path + ".damaged-1"
    guard case .damaged(fixture.path, _, 0, copy)? = fixture.faults.withLock(\.first) else {
      Issue.record("\(fixture.faults.withLock(\.self))")
      return
    }
    #expect(fixture.faults.withLock { !"\($0)".contains("secret") })
    store.store(["id=1; Max-Age=60"], from: Self.request())
    #expect(fixture.store().cookies().map(\.name) == ["id"])
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == text)
    #expect(fixture.faults.withLock(\.count) == 1)
  }

  @Test("What is not a regular file, or is too long, is not read, and is reported")
  func unreadable() throws {
    let fixture = try Fixture()
    let folder = fixture.folder.url.appending(path: "sub")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let link = fixture.folder.url.appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
    let fifo = fixture.folder.url.appending(path: "fifo").path
    #expect(mkfifo(fifo, 0o600) == 0)
    let long = fixture.folder.url.appending(path: "long").path
    #expect(FileManager.default.createFile(atPath: long, contents: nil))
    #expect(truncate(long, 4 * off_t(CookieFile.maximumSize) + 1) == 0)
    let paths = [folder.path, link.path, fifo, long]
    for path in paths { #expect(fixture.store(path: path).isEmpty) }
    var copies: [String: String?] = [:]
    for fault in fixture.faults.withLock(\.self) {
      if case .unreadable(let path, _, let copy) = fault { copies[path] = .some(copy) }
    }
    // A folder and a FIFO were not made by a store.
    #expect(
      copies == [
        folder.path: nil, link.path: link.path + ".damaged-1", fifo: nil, long: long + ".damaged-1",
      ])
  }

  @Test(
    "Cookies of every host that they are kept for are read again, as they were sent",
    arguments: [
      "b\u{FC}cher.example", "B\u{DC}CHER.example", "[::1]", "127.0.0.1", "a_b.example", "a.example.",
      String(repeating: "h", count: CookieURL.maximumHostLength),
    ])
  func hosts(_ host: String) throws {
    let fixture = try Fixture()
    fixture.store().store(["id=1; Max-Age=60"], from: Self.request("north"))
    fixture.store().store(["id=2; Max-Age=60"], from: Self.request("south", host: host))
    let store = fixture.store()
    #expect(store.field(for: Self.request(host: host).head, in: "south") == "id=2")
    #expect(store.field(for: Self.request().head, in: "north") == "id=1")
    #expect(fixture.faults.withLock(\.self) == [])
  }

  @Test(
    "For a host that a file could not name, no cookie is kept",
    arguments: [
      String(repeating: "h", count: CookieURL.maximumHostLength + 1),
      String(repeating: "\u{E9}", count: CookieURL.maximumHostLength), "a b", "",
    ])
  func refusedHosts(_ host: String) throws {
    let fixture = try Fixture()
    let store = fixture.store()
    store.store(["id=1; Max-Age=60"], from: Self.request("north"))
    store.store(["id=2; Max-Age=60"], from: Self.request("north", host: host))
    #expect(store.cookies(in: "north").map(\.value) == ["1"])
    #expect(fixture.store().cookies(in: "north").map(\.value) == ["1"])
    #expect(fixture.faults.withLock(\.self) == [])
  }

  @Test("Two accounts with the most cookies of a server lose some of them, no other does, and all are read")
  func eviction() throws {
    let fixture = try Fixture()
    let maximumSize = 1 << 18
    let store = fixture.store(maximumSize: maximumSize)
    store.store(["id=kept; Max-Age=60"], from: Self.request("small"))
    let value = String(repeating: "%", count: 4_090)
    for partition in ["north", "south"] {
      store.store(["id=kept; Max-Age=60"], from: Self.request(partition))
      for host in 0..<7 {
        let lines = (0..<2).map { FieldText("n\($0)=\(value); Max-Age=60".utf8) }
        store.store(lines, from: Self.request(partition, host: "h\(host).example"))
      }
    }
    let size = try #require(FileManager.default.attributesOfItem(atPath: fixture.path)[.size] as? Int)
    #expect(size <= maximumSize && size > maximumSize * 9 / 10)
    let faults = fixture.faults.withLock(\.self)
    #expect(!faults.isEmpty)
    for fault in faults {
      guard case .full(fixture.path, let removed) = fault, removed > 0 else {
        Issue.record("\(fault)")
        continue
      }
    }
    let again = fixture.store(maximumSize: maximumSize)
    for partition in ["small", "north", "south"] {
      #expect(again.cookies(in: partition) == store.cookies(in: partition))
      #expect(again.field(for: Self.request().head, in: partition) == "id=kept")
    }
    #expect(fixture.faults.withLock(\.count) == faults.count)
  }

  @Test("A file that is longer than a writer's limit is read as a whole, and shrinks at the next change")
  func longFile() throws {
    let fixture = try Fixture()
    let (former, maximumSize) = (fixture.store(), 16_384)
    let value = String(repeating: "v", count: 4_000)
    for host in 0..<8 {
      former.store(
        [FieldText("n=\(value); Max-Age=60".utf8)], from: Self.request("north", host: "h\(host).example"))
    }
    former.store(["id=kept; Max-Age=60"], from: Self.request("south"))
    let store = fixture.store(maximumSize: maximumSize)
    #expect(store.cookies(in: "north") == former.cookies(in: "north"))
    #expect(store.cookies(in: "south").map(\.value) == ["kept"])
    #expect(try fixture.files == ["cookies"] && fixture.faults.withLock(\.isEmpty))
    store.store(["x=1; Max-Age=60"], from: Self.request("south"))
    let size = try #require(FileManager.default.attributesOfItem(atPath: fixture.path)[.size] as? Int)
    #expect(size <= maximumSize)
    #expect(fixture.store(maximumSize: maximumSize).cookies(in: "south").map(\.name) == ["id", "x"])
    guard case .full? = fixture.faults.withLock(\.first), fixture.faults.withLock(\.count) == 1 else {
      Issue.record("\(fixture.faults.withLock(\.self))")
      return
    }
  }

  @Test("A logout from a copy that is longer than a writer's limit leaves the cookies of other accounts")
  func longCopy() throws {
    let fixture = try Fixture()
    let value = String(repeating: "v", count: 4_000)
    for host in 0..<8 {
      fixture.store().store(
        [FieldText("n=\(value); Max-Age=60".utf8)], from: Self.request("north", host: "h\(host).example"))
    }
    fixture.store().store(["id=south; Max-Age=60"], from: Self.request("south"))
    let copy = fixture.path + ".damaged-1"
    try FileManager.default.moveItem(atPath: fixture.path, toPath: copy)
    fixture.store(maximumSize: 16_384).removeAll(in: "north")
    let text = try String(contentsOfFile: copy, encoding: .utf8)
    #expect(text.contains("south\tid\tsouth") && !text.contains("north"))
  }

  @Test(
    "A logout takes an account's lines from a copy, whichever combining characters its name has",
    arguments: [("e\u{301}", "\u{E9}"), ("\u{E9}", "e\u{301}"), ("a%\u{E9}", "a%e\u{301}")])
  func equalNames(stored: String, removed: String) throws {
    let fixture = try Fixture()
    fixture.store().store(["id=secret; Max-Age=60"], from: Self.request(stored))
    fixture.store().store(["id=south; Max-Age=60"], from: Self.request("south"))
    let copy = fixture.path + ".damaged-1"
    try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
    let store = fixture.store()
    #expect(store.cookies(in: removed).map(\.value) == ["secret"])
    store.removeAll(in: removed)
    for path in [fixture.path, copy] {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains("south\tid") && !text.contains("secret"))
    }
  }

  // The limit applies to a whole process, so these tests run in their own.
  @Test("A file that can't be read for a passing reason keeps its name, is not written, and is read later")
  func passingFault() async throws {
    await #expect(processExitsWith: .success) {
      let fixture = try Fixture()
      let former = fixture.store()
      former.store(["id=1; Max-Age=60", "old=1; Max-Age=60"], from: Self.request("north"))
      former.store(["id=2; Max-Age=60"], from: Self.request("south"))
      let bytes = try Data(contentsOf: URL(filePath: fixture.path))
      let limit = DescriptorLimit()
      let store = fixture.store()
      #expect(store.field(for: Self.request().head, in: "north") == nil)
      store.store(["id=3; Max-Age=60"], from: Self.request("north"))
      store.removeAll(in: "south")
      #expect(store.cookies(in: "north").map(\.value) == ["3"])
      limit.end()
      let reasons = fixture.faults.withLock { $0.map { "\($0)" } }
      #expect(reasons.count == 3 && reasons.allSatisfy { $0.contains(fixture.path) })
      #expect(reasons.first?.contains("it keeps its name") == true)
      #expect(try fixture.files == ["cookies"] && Data(contentsOf: URL(filePath: fixture.path)) == bytes)
      #expect(!store.isEmpty)
      // What was set or removed since remains so, and the rest is there again.
      let field = store.field(for: Self.request().head, in: "north")
      #expect(field == "id=3; old=1")
      #expect(store.cookies(in: "south").isEmpty)
      let next = fixture.store()
      #expect(next.cookies(in: "north") == store.cookies(in: "north") && next.cookies(in: "south").isEmpty)
      #expect(fixture.faults.withLock(\.count) == 3)
    }
  }

  @Test("All cookies can be removed from a file that could not be read")
  func removedUnread() async throws {
    await #expect(processExitsWith: .success) {
      let fixture = try Fixture()
      fixture.store().store(["id=1; Max-Age=60"], from: Self.request("north"))
      let limit = DescriptorLimit()
      let store = fixture.store()
      limit.end()
      store.removeAll()
      #expect(store.isEmpty && fixture.store().isEmpty)
      #expect(try !String(contentsOfFile: fixture.path, encoding: .utf8).contains("north"))
    }
  }

  @Test("If the file can't be written, the fault is reported and the cookies stay in memory")
  func unwritable() throws {
    let fixture = try Fixture()
    let store = fixture.store(path: fixture.folder.url.appending(path: "missing/cookies").path)
    #expect(fixture.faults.withLock(\.count) == 0)
    store.store(["id=1; Max-Age=60"], from: Self.request())
    #expect(store.cookies().map(\.name) == ["id"])
    guard case .unwritable? = fixture.faults.withLock(\.first) else {
      Issue.record("no fault")
      return
    }
  }

  @Test("Concurrent changes leave a file with all cookies")
  func concurrency() async throws {
    let fixture = try Fixture()
    let store = fixture.store()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          store.store(
            ["n\(number)=1; Max-Age=60"], from: Self.request("p\(number % 4)", host: "h\(number).example"))
        }
      }
    }
    let again = fixture.store()
    let names = (0..<4).flatMap { again.cookies(in: "p\($0)").map(\.name) }
    #expect(Set(names) == Set((0..<40).map { "n\($0)" }))
    #expect(fixture.faults.withLock(\.self) == [])
    #expect(try fixture.files == ["cookies"])
  }
}
