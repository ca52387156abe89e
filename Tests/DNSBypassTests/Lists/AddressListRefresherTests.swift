import CommandRunning
import DNSBypass
import Foundation
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AddressListRefresherTests {
  /// A server's list, the clocks and what a refresher has reported.
  private final class Fixture: Sendable {
    let folder: TemporaryFolder
    let clock = TestClock()
    let bypass = DNSBypassInterceptor(.empty)
    let reports = WaitableValue<[AddressListReport]>([])
    let list: Mutex<Result<String, NetworkError>>
    let start = WallTime(secondsSince1970: 1_000_000)

    init(_ list: String) throws {
      folder = try TemporaryFolder(prefix: "lists")
      self.list = Mutex(.success(list))
    }

    var path: String { folder.url.appending(path: "list").path }
    var addresses: [String] { bypass.table.addresses(for: "a.example", scheme: "https").map(\.address) }

    func refresher(signature: String = "signed ") -> AddressListRefresher {
      let origin = clock.now
      return AddressListRefresher(
        bypass, file: path,
        time: TimeSource(clock) { [clock, start] in
          start.advanced(by: origin.duration(to: clock.now) + .seconds(0))
        }, random: SeededRandom(seed: 1),
        verify: { bytes in
          guard bytes.starts(with: signature.utf8) else { throw BadSignature() }
          return Array(bytes.dropFirst(signature.utf8.count))
        },
        onReport: { [reports] report in reports.update { $0.append(report) } }
      ) { [self] in Array(try list.withLock { try $0.get() }.utf8) }
    }

    /// Fetches and stores the list, as a start before did.
    func runFormerStart() async throws {
      let refresher = refresher()
      refresher.start()
      #expect(try await reports(1) == [.refreshed(hosts: 1)])
      refresher.stop()
      bypass.update(.empty)
    }

    func serve(_ text: String) { list.withLock { $0 = .success(text) } }

    func reports(_ count: Int) async throws -> [AddressListReport] {
      try await reports.wait { $0.count >= count }
    }
  }

  private struct BadSignature: Error {}

  @Test("A list issued more than a day ahead of the clock is refused, and doesn't keep later ones out")
  func future() async throws {
    // The clock is at 1,000,000 s.
    let fixture = try Fixture("signed issued 9000000000\na.example 203.0.114.1")
    let refresher = fixture.refresher()
    refresher.start()
    #expect(try await fixture.reports(1) == [.failed(.init(.issuedInFuture))])
    #expect(fixture.addresses == [])
    fixture.serve("signed issued 1000100\na.example 203.0.114.2")
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(60))
    #expect(try await fixture.reports(2).last == .refreshed(hosts: 1))
    #expect(fixture.addresses == ["203.0.114.2"])
    refresher.stop()
  }

  @Test(
    "E8: A list is fetched at the start and after a day, stored, and used at once at the next start")
  func daily() async throws {
    let fixture = try Fixture("signed a.example 203.0.114.1")
    do {
      let refresher = fixture.refresher()
      refresher.start()
      refresher.start()
      #expect(try await fixture.reports(1) == [.refreshed(hosts: 1)])
      #expect(fixture.addresses == ["203.0.114.1"])
      fixture.serve("signed a.example 203.0.114.2")
      for _ in 1...24 {
        try await fixture.clock.waitForSleepers()
        #expect(fixture.addresses == ["203.0.114.1"])
        fixture.clock.advance(by: .seconds(3_600))
      }
      #expect(try await fixture.reports(2).last == .refreshed(hosts: 1))
      #expect(fixture.addresses == ["203.0.114.2"])
      refresher.stop()
    }
    fixture.bypass.update(.empty)
    let next = fixture.refresher()
    next.start()
    // Before anything is fetched.
    #expect(fixture.addresses == ["203.0.114.2"])
    #expect(fixture.reports.value.last == .restored(hosts: 1))
    next.stop()
  }

  @Test("A failure keeps the list, and the next attempt waits")
  func failure() async throws {
    let fixture = try Fixture("signed a.example 203.0.114.1")
    let refresher = fixture.refresher()
    fixture.list.withLock { $0 = .failure(NetworkError(.connect, "The secret host is down.")) }
    refresher.start()
    #expect(try await fixture.reports(1) == [.failed(.init(.unavailable(reason: "connect")))])
    fixture.serve("signed a.example 203.0.114.2")
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(60))
    #expect(try await fixture.reports(2).last == .refreshed(hosts: 1))
    #expect(fixture.addresses == ["203.0.114.2"])
  }

  @Test(
    "A list that is unsigned, empty, malformed, too long or has addresses without servers is refused",
    arguments: [
      ("a.example 203.0.114.9", "signature"), ("signed ", "no host"), ("signed a.example", "line 1"),
      ("signed a.example 127.0.0.1", "loopback"), ("signed a.example 10.0.0.1", "private"),
      ("signed a.example 169.254.1.1", "linkLocal"), ("signed a.example 224.0.0.1", "multicast"),
      ("signed a.example " + (1...65).map { "203.0.114.\($0)" }.joined(separator: " "), "65 addresses"),
      (String(repeating: "x", count: 4 << 20 | 1), "more than"),
    ])
  func refusal(_ text: String, _ reason: String) async throws {
    let fixture = try Fixture(text)
    fixture.bypass.update(try AddressTable(["a.example": ["203.0.114.1"]]))
    let refresher = fixture.refresher()
    refresher.start()
    guard case .failed(let error) = try await fixture.reports(1).last else {
      Issue.record("The list was used.")
      return
    }
    #expect(error.description.contains(reason))
    #expect(fixture.addresses == ["203.0.114.1"])
    #expect(!FileManager.default.fileExists(atPath: fixture.path))
  }

  @Test("A list that was issued before the one in use is refused, and a change of the network fetches it")
  func outdated() async throws {
    let fixture = try Fixture("signed issued 20\na.example 203.0.114.2")
    let refresher = fixture.refresher()
    refresher.start()
    _ = try await fixture.reports(1)
    fixture.serve("signed issued 19\na.example 203.0.114.1")
    try await fixture.clock.waitForSleepers()
    refresher.networkDidChange()
    try await fixture.clock.waitForSleepers(2)
    fixture.clock.advance(by: .seconds(30))
    try await fixture.reports.wait { $0.last == .failed(.init(.outdated)) }
    #expect(fixture.addresses == ["203.0.114.2"])
  }

  @Test("A list that doesn't say when it was issued replaces none that does, after a restart either")
  func undated() async throws {
    let fixture = try Fixture("signed issued 20\na.example 203.0.114.2")
    try await fixture.runFormerStart()
    fixture.serve("signed a.example 203.0.114.1")
    let next = fixture.refresher()
    next.start()
    for _ in 1...24 {
      try await fixture.clock.waitForSleepers()
      fixture.clock.advance(by: .seconds(3_600))
    }
    let reports = try await fixture.reports(3)
    #expect(reports.dropFirst() == [.restored(hosts: 1), .failed(.init(.undated))])
    #expect(fixture.addresses == ["203.0.114.2"])
    next.stop()
  }

  // The clock is at 1,000,000 s, and the maximum age is 2,592,000 s.
  @Test(
    "A fetched list is used up to 30 days after it was issued",
    arguments: ["1000000", "1086400", "0", ""])
  func young(_ issued: String) async throws {
    let line = issued.isEmpty ? "" : "issued \(issued)\n"
    let fixture = try Fixture("signed \(line)a.example 203.0.114.2")
    let refresher = fixture.refresher()
    refresher.start()
    #expect(try await fixture.reports(1) == [.refreshed(hosts: 1)])
    refresher.stop()
  }

  @Test(
    "A list that is more than 30 days old is refused, whether it is fetched or stored",
    arguments: [
      ("issued 1000000\n", 2_592_000, true), ("issued 1000000\n", 2_592_001, false),
      ("", 2_592_000, true), ("", 2_592_001, false),
    ])
  func expired(_ line: String, seconds: Int, isUsed: Bool) async throws {
    let text = "signed \(line)a.example 203.0.114.2"
    let fixture = try Fixture(text)
    try await fixture.runFormerStart()
    let later = fixture.start.advanced(by: .seconds(seconds))
    let reports = WaitableValue<[AddressListReport]>([])
    let next = AddressListRefresher(
      fixture.bypass, file: fixture.path, time: TimeSource(TestClock()) { later },
      verify: { Array($0.dropFirst(7)) }, onReport: { report in reports.update { $0.append(report) } }
    ) { Array(text.utf8) }
    next.start()
    let all = try await reports.wait { $0.count >= 2 }
    #expect(all.first == (isUsed ? .restored(hosts: 1) : .failed(.init(.expired))))
    // Without the time, a list that is fetched is as old as the fetch.
    let isFetchUsed = isUsed || line.isEmpty
    #expect(all.last == (isFetchUsed ? .refreshed(hosts: 1) : .failed(.init(.expired))))
    #expect(fixture.addresses == (isFetchUsed ? ["203.0.114.2"] : []))
    next.stop()
  }

  @Test(
    "A stored list that is too old to be used still keeps undated lists out, and is replaced by a later one",
    arguments: [("", .failed(.init(.undated))), ("issued 3000000\n", .refreshed(hosts: 1))]
      as [(String, AddressListReport)])
  func expiredDated(_ line: String, report: AddressListReport) async throws {
    let fixture = try Fixture("signed issued 1000000\na.example 203.0.114.2")
    try await fixture.runFormerStart()
    let stored = try Data(contentsOf: URL(filePath: fixture.path))
    let later = fixture.start.advanced(by: .seconds(2_592_001))
    let reports = WaitableValue<[AddressListReport]>([])
    let next = AddressListRefresher(
      fixture.bypass, file: fixture.path, time: TimeSource(TestClock()) { later },
      verify: { Array($0.dropFirst(7)) }, onReport: { report in reports.update { $0.append(report) } }
    ) { Array("signed \(line)a.example 203.0.114.9".utf8) }
    next.start()
    let all = try await reports.wait { $0.count >= 2 }
    #expect(all == [.failed(.init(.expired)), report])
    let isUsed = report == .refreshed(hosts: 1)
    #expect(fixture.addresses == (isUsed ? ["203.0.114.9"] : []))
    #expect(try (Data(contentsOf: URL(filePath: fixture.path)) == stored) != isUsed)
    next.stop()
  }

  @Test("A stored list that can't be read for a passing reason is neither set aside nor lost")
  func passingFault() async throws {
    await #expect(processExitsWith: .success) {
      let fixture = try Fixture("signed issued 1000000\na.example 203.0.114.2")
      let refresher = fixture.refresher()
      refresher.start()
      _ = try await fixture.reports(1)
      refresher.stop()
      fixture.reports.update { $0 = [] }
      let stored = try Data(contentsOf: URL(filePath: fixture.path))
      fixture.serve("signed issued 1000001\na.example 203.0.114.3")
      let next = fixture.refresher()
      let limit = DescriptorLimit()
      next.start()
      let first = fixture.reports.value.first
      limit.end()
      guard case .failed(let error)? = first, case .unreadable(fixture.path, _) = error.reason else {
        Issue.record("Reported \(String(describing: first)).")
        return
      }
      let all = try await fixture.reports.wait { $0.contains(.refreshed(hosts: 1)) }
      #expect(fixture.addresses == ["203.0.114.3"])
      // It is replaced only if it was read before the list was fetched.
      let isUnchanged = try Data(contentsOf: URL(filePath: fixture.path)) == stored
      #expect(isUnchanged == !all.contains(.restored(hosts: 1)))
      let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.url.path)
      #expect(names == ["list"])
      next.stop()
    }
  }

  @Test("A damaged or forged stored list is reported and not used, and gets another name before a valid one")
  func damage() async throws {
    let fixture = try Fixture("signed a.example 203.0.114.1")
    let damaged = Data("switchyard addresses 1 99\nabc\nsigned a.example 203.0.114.9".utf8)
    try damaged.write(to: URL(filePath: fixture.path))
    let first = fixture.refresher()
    first.start()
    let reports = try await fixture.reports(3)
    let copy = fixture.path + ".damaged-1"
    #expect(
      reports == [
        .failed(AddressListError(.damaged(path: fixture.path))), .setAside(path: copy), .refreshed(hosts: 1),
      ])
    #expect(try Data(contentsOf: URL(filePath: copy)) == damaged)
    first.stop()
    fixture.bypass.update(.empty)
    fixture.reports.update { $0 = [] }
    // The checksum is right, but the key is another one.
    let second = fixture.refresher(signature: "other ")
    second.start()
    #expect(fixture.addresses.isEmpty)
    #expect(
      fixture.reports.value.prefix(2) == [
        .failed(AddressListError(.unverified(reason: "BadSignature"))),
        .setAside(path: fixture.path + ".damaged-2"),
      ])
  }

  @Test("A list that can't be stored is used, and the fault is reported")
  func unwritable() async throws {
    let fixture = try Fixture("signed a.example 203.0.114.1")
    let refresher = fixture.refresher()
    try FileManager.default.removeItem(at: fixture.folder.url)
    refresher.start()
    let reports = try await fixture.reports(2)
    #expect(reports.first == .refreshed(hosts: 1))
    guard case .failed(let error) = reports[1], case .unwritable = error.reason else {
      Issue.record("Reported \(reports[1]).")
      return
    }
    #expect(fixture.addresses == ["203.0.114.1"])
  }

  @Test("When no address of a host can be reached, the list is fetched")
  func exhaustion() async throws {
    let fixture = try Fixture("signed a.example 203.0.114.1")
    let refresher = fixture.refresher()
    refresher.start()
    _ = try await fixture.reports(1)
    fixture.serve("signed a.example 203.0.114.2")
    let dead = ScriptedDispatcher { (_, _) async throws(NetworkError) in
      throw NetworkError(.connect, "Refused.")
    }
    try await fixture.clock.waitForSleepers()
    await #expect(throws: (any Error).self) {
      try await fixture.bypass.intercept(Request(authority: "a.example", path: "/"), next: dead)
    }
    try await fixture.clock.waitForSleepers(2)
    fixture.clock.advance(by: .seconds(30))
    #expect(try await fixture.reports(2).last == .refreshed(hosts: 1))
    #expect(fixture.addresses == ["203.0.114.2"])
  }

  @Test("An attempt that doesn't end is cancelled after a minute")
  func attemptLimit() async throws {
    let fixture = try Fixture("")
    let refresher = AddressListRefresher(
      fixture.bypass, file: nil, time: TimeSource(fixture.clock), verify: { $0 },
      onReport: { [reports = fixture.reports] report in reports.update { $0.append(report) } }
    ) {
      try await fixture.clock.sleep(for: .seconds(1_000_000))
      return []
    }
    refresher.start()
    try await fixture.clock.waitForSleepers(2)
    fixture.clock.advance(by: .seconds(60))
    #expect(
      try await fixture.reports(1) == [
        .failed(AddressListError(.unavailable(reason: "it took longer than 60 s")))
      ])
  }

  @Test("Of two starts with a stop between them the later one is in force, whichever returns last")
  func restartedWhileStarting() async throws {
    let fixture = try Fixture("signed a.example 203.0.114.1")
    do {
      let refresher = fixture.refresher()
      refresher.start()
      _ = try await fixture.reports(1)
      refresher.stop()
    }
    fixture.clock.advance(by: .seconds(86_400))
    let known = Mutex<AddressListRefresher?>(nil)
    let reports = WaitableValue<[AddressListReport]>([])
    let refresher = AddressListRefresher(
      fixture.bypass, file: fixture.path,
      time: TimeSource(fixture.clock) { fixture.start.advanced(by: .seconds(86_400)) },
      verify: { Array($0.dropFirst(7)) },
      onReport: { report in
        reports.update { $0.append(report) }
        // The first start has read the file, and has not returned.
        guard reports.value == [.restored(hosts: 1)] else { return }
        let refresher = known.withLock { $0 }
        refresher?.stop()
        refresher?.start()
      }, fetch: { Array("signed a.example 203.0.114.2".utf8) })
    known.withLock { $0 = refresher }
    refresher.start()
    let all = try await reports.wait { $0.count >= 3 }
    #expect(all == [.restored(hosts: 1), .restored(hosts: 1), .refreshed(hosts: 1)])
    #expect(fixture.addresses == ["203.0.114.2"])
    // It still runs.
    refresher.networkDidChange()
    fixture.clock.advance(by: .seconds(30))
    try await reports.wait { $0.count >= 4 }
    known.withLock { $0 = nil }
    refresher.stop()
  }

  @Test("A list that is decoded while the refresher is stopped is not used")
  func stoppedWhileFetching() async throws {
    final class Token: Sendable {}
    let bypass = DNSBypassInterceptor(.empty)
    let known = Mutex<AddressListRefresher?>(nil)
    weak var token: Token?
    do {
      let used = Token()
      token = used
      let refresher = AddressListRefresher(
        bypass, file: nil, verify: { $0 },
        decode: { text in
          withExtendedLifetime(used) { known.withLock { $0.take() }?.stop() }
          return try AddressList(text: text)
        }, fetch: { Array("a.example 203.0.114.1".utf8) })
      known.withLock { $0 = refresher }
      refresher.start()
    }
    try await waitUntil("the refresher's task has ended") { token == nil }
    #expect(bypass.table.hosts.isEmpty)
  }

  @Test("A released refresher ends its task")
  func release() async throws {
    let fixture = try Fixture("")
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    do {
      let refresher = AddressListRefresher(
        fixture.bypass, file: nil, time: TimeSource(fixture.clock), verify: { $0 }
      ) {
        do { try await fixture.clock.sleep(for: .seconds(1_000_000)) } catch { end.yield() }
        return []
      }
      refresher.start()
      try await fixture.clock.waitForSleepers(2)
    }
    for await _ in ended { break }
  }
}
