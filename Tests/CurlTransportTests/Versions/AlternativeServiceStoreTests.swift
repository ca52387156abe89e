import CommandRunning
import Foundation
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

@testable import CurlTransport

@Suite("The file of alternative services", .timeLimit(.minutes(5))) struct AlternativeServiceStoreTests {
  private typealias Change = AlternativeServices.Change

  private static let wall = WallTime(secondsSince1970: 1_790_000_000)
  private let folder: TemporaryFolder
  private let path: String
  private let clock = TestClock()
  private let faults = Watched<[AlternativeServiceFile.Fault.Reason]>([])

  init() throws {
    folder = try TemporaryFolder(prefix: "alternatives")
    path = folder.url.appending(path: "alt-svc").path
  }

  private func store() -> AlternativeServiceStore {
    let file = AlternativeServiceFile(path) { [faults] fault in faults.update { $0.append(fault.reason) } }
    return AlternativeServiceStore(file, time: TimeSource(clock) { Self.wall })
  }

  private func change(_ host: String = "a.test", port: Int? = 443, partition: String = "") -> Change {
    Change(
      key: .init(partition: partition, origin: WebOrigin(scheme: .https, host: host, port: 443)),
      service: port.map { ($0, .seconds(100)) })
  }

  private func stored() throws -> String? {
    try WholeFile(path: path).bytes(upTo: 1 << 20).map { String(decoding: $0, as: UTF8.self) }
  }

  private func text(_ hosts: String...) -> String {
    let lines = hosts.map { "\($0) 443 - 443 1790000100\n" }
    return "switchyard alternatives 1\n\(lines.joined())end \(lines.count)\n"
  }

  private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  @Test("What one store has written, the next one has, for the time that is left")
  func restart() throws {
    let first = store()
    first.apply([change(), change("b.test", partition: "anna"), change("c.test")], network: 0)
    first.apply([change("c.test", port: nil)], network: 0)
    first.write()
    let (services, network) = store().services(at: .seconds(7))
    let service = AlternativeServices.Service(port: 443, expiry: .seconds(107), storedExpiry: .seconds(107))
    let anna = try #require(StoredAlternatives.name(ofPartition: "anna"))
    #expect(
      services == [
        WebOrigin(scheme: .https, host: "a.test", port: 443): ["-": service],
        WebOrigin(scheme: .https, host: "b.test", port: 443): [anna: service],
      ])
    #expect(network == 0 && faults.value.isEmpty)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("Without a change nothing is written, not even a file")
  func unchanged() throws {
    let store = store()
    store.write()
    store.apply([change(port: nil)], network: 0)
    store.write()
    #expect(store.removeAll() == 1)
    store.write()
    #expect(try stored() == nil)
  }

  @Test("A change is written by itself, and further ones together after five seconds")
  func coalescing() async throws {
    let store = store()
    store.apply([change()], network: 0)
    try await waitUntil("the first change is in the file") { try stored() == text("a.test") }
    store.apply([change("b.test")], network: 0)
    store.apply([change("c.test")], network: 0)
    try await clock.waitForSleepers()
    clock.advance(by: .milliseconds(4_999))
    #expect(try stored() == text("a.test"))
    clock.advance(by: .milliseconds(1))
    try await waitUntil("the further changes are in the file") {
      try stored() == text("a.test", "b.test", "c.test")
    }
  }

  @Test("A change of network empties the file without a pause, and what came over the former one is ignored")
  func networkChange() async throws {
    let store = store()
    store.apply([change()], network: 0)
    store.write()
    #expect(store.removeAll() == 1)
    try await waitUntil("the file is empty") { try stored() == text() }
    store.apply([change("b.test")], network: 0)
    store.write()
    #expect(try stored() == text())
    store.apply([change("c.test")], network: 1)
    store.write()
    #expect(try stored() == text("c.test"))
    #expect(store.services(at: .zero).network == 1)
  }

  @Test(
    "A damaged file, or one of another version, is ignored, reported once, and replaced",
    arguments: ["", "switchyard alternatives 1\na.test 443", "switchyard alternatives 2\nx\n"])
  func damaged(content: String) throws {
    try write(content)
    let store = store()
    #expect(store.services(at: .zero).services.isEmpty)
    #expect(faults.value == [.damaged])
    store.apply([change()], network: 0)
    store.write()
    #expect(try stored() == text("a.test"))
    #expect(faults.value == [.damaged])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["alt-svc"])
  }

  @Test(
    "A file with other content gets another name, and keeps it",
    arguments: ["secret\n", "switchyard cookies 1\nend 0\n"])
  func foreign(content: String) throws {
    try write(content)
    let store = store()
    #expect(faults.value == [.foreign(setAside: path + ".damaged-1")])
    store.apply([change()], network: 0)
    store.write()
    #expect(try stored() == text("a.test"))
    #expect(try String(contentsOfFile: path + ".damaged-1", encoding: .utf8) == content)
  }

  @Test("A file that can't be written is reported once until it was written")
  func unwritable() throws {
    try FileManager.default.removeItem(at: folder.url)
    let store = store()
    for host in ["a.test", "b.test"] {
      store.apply([change(host)], network: 0)
      store.write()
    }
    #expect(faults.value.count == 1)
    guard case .unwritable = faults.value.first else {
      Issue.record("\(faults.value)")
      return
    }
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    store.apply([change("c.test")], network: 0)
    store.write()
    #expect(try stored() == text("a.test", "b.test", "c.test"))
    try FileManager.default.removeItem(at: folder.url)
    store.apply([change("d.test")], network: 0)
    store.write()
    #expect(faults.value.count == 2)
  }

  @Test("A folder at the path is a fault, and nothing replaces it")
  func folderAtPath() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let store = store()
    #expect(faults.value == [.unreadable("it is not a regular file", setAside: nil)])
    store.apply([change()], network: 0)
    store.write()
    #expect(store.removeAll() == 1)
    store.write()
    var isFolder: ObjCBool = false
    #expect(FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue)
    #expect(faults.value.count == 1)
    // Once that is corrected, the file is written.
    try FileManager.default.removeItem(atPath: path)
    store.apply([change("b.test")], network: 1)
    store.write()
    #expect(try stored() == text("b.test"))
  }

  @Test("A fault names the file and the remedy")
  func faultTexts() {
    func text(_ reason: AlternativeServiceFile.Fault.Reason) -> String {
      "\(AlternativeServiceFile.Fault(path: "/a/b", reason: reason))"
    }
    #expect(text(.damaged).contains("alternative services /a/b is damaged"))
    #expect(text(.foreign(setAside: "/a/c")).contains("set aside as /a/c. Give CurlDispatcher.Configuration"))
    #expect(text(.unreadable("it is long", setAside: nil)).contains("it is long; it keeps its name. Check"))
    #expect(text(.unwritable("no space")).hasSuffix("/a/b can't be written: no space. Check its folder."))
  }

  @Test("A dispatcher that does not use HTTP/3 does not touch the file")
  func unused() async throws {
    try write("secret\n")
    for (use, library) in [
      (HTTP3Use.off, LoadedLibrary(version: LibraryVersion(8, 23), hasHTTP3: true)),
      (.whenAdvertised, LoadedLibrary(version: LibraryVersion(8, 23))),
    ] {
      let file = AlternativeServiceFile(path) { Issue.record("\($0)") }
      let dispatcher = CurlDispatcher(
        configuration: .init(http3: use, alternativeServices: file), time: .system, library: library)
      dispatcher.networkDidChange()
      await dispatcher.shutdown()
    }
    #expect(try stored() == "secret\n")
  }
}
