import CommandRunning
import Foundation
import Synchronization
import Testing

@testable import WebPages

@Suite(.timeLimit(.minutes(5))) struct PagePackageStoreTests {
  private let fixture: PageStoreFixture

  init() throws { fixture = try PageStoreFixture() }

  private static func text(in store: PagePackageStore) throws -> String? {
    guard let package = store.package, let file = package.archive.file(at: Array("loan/index.html".utf8))
    else {
      return nil
    }
    return String(decoding: try package.block(0, of: file), as: UTF8.self)
  }

  @Test("A package is installed, replaced by higher versions, and there at the next start")
  func install() async throws {
    let store = try fixture.store()
    #expect(store.version == nil && store.fault == nil)
    try await store.install(PageStoreFixture.package(1))
    let first = try #require(store.package)
    try await store.install(PageStoreFixture.package(7))
    #expect(store.version == 7 && store.fault == nil)
    #expect(try Self.text(in: store) == "version 7")
    #expect(try Self.text(in: fixture.store()) == "version 7")
    // An answer from the former version continues.
    let file = try #require(first.archive.file(at: Array("loan/index.html".utf8)))
    #expect(try first.block(0, of: file) == Array("version 1".utf8))
  }

  @Test("A lower version and another package of the same one are refused, and the last good one stays")
  func downgrade() async throws {
    let store = try fixture.store()
    try await store.install(PageStoreFixture.package(5))
    for version in [1, 4, 5] {
      await #expect(throws: PagePackageError.notNewer(version: version, installed: 5)) {
        try await store.install(PageStoreFixture.package(version, text: "replayed"))
      }
    }
    #expect(try Self.text(in: store) == "version 5")
  }

  @Test("A lower version is refused after the package was lost, and the same package repairs the store")
  func lost() async throws {
    let package = try PageStoreFixture.package(5)
    try await fixture.store().install(package)
    for damage in [nil, Array(package.prefix(1_000))] {
      if let damage {
        try fixture.write(damage)
      } else {
        try FileManager.default.removeItem(atPath: fixture.path)
      }
      let store = try fixture.store()
      #expect(store.version == nil)
      #expect((store.fault != nil) == (damage != nil))
      for bytes in [try PageStoreFixture.package(4), try PageStoreFixture.package(5, text: "other")] {
        await #expect(throws: PagePackageError.self) { try await store.install(bytes) }
      }
      try await store.install(package)
      #expect(store.version == 5 && store.fault == nil)
    }
  }

  @Test("An older package that replaces the file on disk is not served")
  func planted() async throws {
    let old = try PageStoreFixture.package(1)
    let store = try fixture.store()
    try await store.install(old)
    try await store.install(PageStoreFixture.package(2))
    try fixture.write(old)
    let next = try fixture.store()
    #expect(next.version == nil && next.fault == .notNewer(version: 1, installed: 2))
    try await next.install(PageStoreFixture.package(3))
    #expect(try Self.text(in: next) == "version 3")
  }

  /// What may be in place of the record of the highest version.
  enum PlantedRecord: String, CaseIterable {
    case folder, symbolicLink, danglingLink, fifo, tooLong, empty, garbled, cut, unreadable

    /// The superuser can read every file.
    static var allCases: [PlantedRecord] {
      [.folder, .symbolicLink, .danglingLink, .fifo, .tooLong, .empty, .garbled, .cut]
        + (geteuid() == 0 ? [] : [.unreadable])
    }

    func make(at path: String) throws {
      let record = [UInt8](try Data(contentsOf: URL(filePath: path)))
      func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }
      switch self {
      case .folder:
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .symbolicLink: try PlantedFile.symbolicLink.make(at: path, precious: path + ".precious")
      case .danglingLink: try PlantedFile.danglingLink.make(at: path, precious: path + ".precious")
      case .fifo: try PlantedFile.fifo.make(at: path, precious: path + ".precious")
      case .tooLong: try write(record + [UInt8](repeating: 0, count: PageVersionMark.maximumSize))
      case .empty: try write([])
      case .garbled: try write(record.map { $0 ^ 0x55 })
      case .cut: try write(record.dropLast())
      case .unreadable: guard chmod(path, 0) == 0 else { throw POSIXError(.EPERM) }
      }
    }
  }

  @Test(
    "If the record of the highest version can't be read, nothing is served or installed, and the fault says so",
    arguments: PlantedRecord.allCases)
  func plantedRecord(planted: PlantedRecord) async throws {
    let record = fixture.path + ".version"
    try await fixture.store().install(PageStoreFixture.package(5))
    try planted.make(at: record)
    func isOfRecord(_ error: PagePackageError?) -> Bool {
      error?.file == record
    }
    for package in [try PageStoreFixture.package(5), try PageStoreFixture.package(1), nil] {
      try FileManager.default.removeItem(atPath: fixture.path)
      if let package { try fixture.write(package) }
      let store = try fixture.store()
      #expect(store.version == nil && store.package == nil && isOfRecord(store.fault))
      for version in [1, 9] {
        let error = await #expect(throws: PagePackageError.self) {
          try await store.install(PageStoreFixture.package(version))
        }
        #expect(isOfRecord(error) && store.version == nil)
      }
    }
    // As the error says, the versions are forgotten without both files.
    try FileManager.default.removeItem(atPath: record)
    try await fixture.store().install(PageStoreFixture.package(1))
    #expect(try fixture.store().version == 1)
  }

  @Test(
    "A version that could not be recorded is a fault, is served, and is recorded at the next start or installation",
    arguments: [true, false])
  func unrecorded(restarts: Bool) async throws {
    let old = try PageStoreFixture.package(1)
    let store = try fixture.store()
    try await store.install(old)
    // The record is written beside the former one.
    let obstacle = fixture.path + ".version.new"
    try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
    try await store.install(PageStoreFixture.package(2))
    for store in [store, try fixture.store()] {
      #expect(store.version == 2)
      guard store.fault?.file == fixture.path + ".version" else {
        Issue.record("\(String(describing: store.fault))")
        continue
      }
    }
    try FileManager.default.removeItem(atPath: obstacle)
    if restarts {
      #expect(try fixture.store().fault == nil)
    } else {
      await #expect(throws: PagePackageError.notNewer(version: 1, installed: 2)) {
        try await store.install(old)
      }
      #expect(store.version == 2 && store.fault == nil)
    }
    try fixture.write(old)
    let next = try fixture.store()
    #expect(next.version == nil && next.fault == .notNewer(version: 1, installed: 2))
  }

  @Test("The version of a package without a record is recorded when the store is opened")
  func lostRecord() async throws {
    try await fixture.store().install(PageStoreFixture.package(5))
    try FileManager.default.removeItem(atPath: fixture.path + ".version")
    let store = try fixture.store()
    #expect(store.version == 5 && store.fault == nil)
    try fixture.write(PageStoreFixture.package(1))
    #expect(try fixture.store().fault == .notNewer(version: 1, installed: 5))
  }

  @Test("The properties don't wait for an installation")
  func propertiesDuringInstall() async throws {
    let store = try fixture.store()
    let path = fixture.path + ".new"
    let observation = Observation()
    defer { observation.isEnded.withLock { $0 = true } }
    Thread.detachNewThread {
      while !observation.isEnded.withLock({ $0 }) {
        let number = observation.number.withLock { $0 }
        // The content is being written. What an installation blocks would return with its version.
        guard FileManager.default.fileExists(atPath: path) else { continue }
        let (package, version) = (store.package?.version ?? 0, store.version ?? 0)
        if max(package, version) < number, store.fault == nil { observation.isEnded.withLock { $0 = true } }
      }
    }
    var count = 0
    while count < 100, !observation.isEnded.withLock({ $0 }) {
      count += 1
      var package = try PagePackage(site: PageStoreFixture.site, version: count)
      try package.add("a", type: "text/plain", [UInt8](repeating: 1, count: 8 << 20))
      let bytes = try package.signed(withPrivateKeyPEM: PageKeys.privateKey)
      observation.number.withLock { $0 = count }
      try await store.install(bytes)
    }
    #expect(observation.isEnded.withLock { $0 })
  }

  /// What the threads of a test share.
  private final class Observation: Sendable {
    let number = Mutex(0)
    let isEnded = Mutex(false)
  }

  @Test("A package that ends early is refused, wherever it ends")
  func torn() async throws {
    let store = try fixture.store()
    try await store.install(PageStoreFixture.package(1))
    let package = try PageStoreFixture.package(2)
    let head = package.count - PageStoreFixture.video.count
    let ends = Array(0..<min(head, 600)) + [head, package.count / 2, package.count - 1]
    for end in ends {
      await #expect(throws: PagePackageError.self, "\(end)") {
        try await store.install(Array(package.prefix(end)))
      }
    }
    await #expect(throws: PagePackageError.self) { try await store.install(package + [0]) }
    #expect(try Self.text(in: store) == "version 1")
    #expect(try Self.text(in: fixture.store()) == "version 1")
  }

  @Test("A package with one changed bit is refused, wherever it is")
  func changed() async throws {
    let store = try fixture.store()
    try await store.install(PageStoreFixture.package(1))
    let package = try PageStoreFixture.package(2)
    let head = package.count - PageStoreFixture.video.count
    for place in Array(0..<head) + [head, head + 300_000, package.count - 1] {
      var bytes = package
      bytes[place] ^= 1
      await #expect(throws: PagePackageError.self, "\(place)") { try await store.install(bytes) }
    }
    #expect(try Self.text(in: store) == "version 1")
  }

  @Test("Packages signed by another, of another site, and no packages are refused with their reason")
  func foreign() async throws {
    let store = try fixture.store()
    try await store.install(PageStoreFixture.package(1))
    await #expect(throws: PagePackageError.untrusted) {
      try await store.install(PageStoreFixture.package(2, key: PageKeys.otherPrivateKey))
    }
    await #expect(throws: PagePackageError.foreignSite("evil.example", expected: PageStoreFixture.site)) {
      try await store.install(PageStoreFixture.package(2, site: "evil.example"))
    }
    for bytes in [[], Array("<html>".utf8), [UInt8](repeating: 0xFF, count: 100), PageArchive.firstLine] {
      let error = await #expect(throws: PagePackageError.self) { try await store.install(bytes) }
      #expect(error?.description.hasPrefix("The page package can't be read: ") == true, "\(bytes.count)")
    }
    await #expect(throws: PagePackageError.tooLarge(limit: PageArchive.maximumSize)) {
      try await store.install([UInt8](repeating: 0, count: PageArchive.maximumSize + 1))
    }
    #expect(try Self.text(in: store) == "version 1")
  }

  @Test("A package on disk that is torn or signed by another is not served, and the fault says why")
  func unserved() async throws {
    for bytes in [
      Array(try PageStoreFixture.package(2).dropLast()), Array(try PageStoreFixture.package(2).prefix(100)),
      try PageStoreFixture.package(2, key: PageKeys.otherPrivateKey), [],
    ] {
      try fixture.write(bytes)
      let store = try fixture.store()
      #expect(store.version == nil && store.fault != nil)
    }
    try await fixture.store().install(PageStoreFixture.package(1))
    #expect(try fixture.store().version == 1)
  }

  @Test(
    "A file that changes after it was opened is not delivered where it differs, and the same package repairs it"
  )
  func changedLater() async throws {
    let store = try fixture.store()
    try await store.install(PageStoreFixture.package(1))
    var bytes = try fixture.bytesOnDisk()
    bytes[bytes.count - 1] ^= 1
    let handle = try FileHandle(forWritingTo: URL(filePath: fixture.path))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
    let package = try #require(store.package)
    let file = try #require(package.archive.file(at: Array("video.mp4".utf8)))
    #expect(throws: Never.self) { try package.block(0, of: file) }
    #expect(throws: PagePackageError.damaged(path: "video.mp4")) { try package.block(2, of: file) }
    try await store.install(PageStoreFixture.package(1))
    let repaired = try #require(store.package)
    #expect(throws: Never.self) { try repaired.block(2, of: file) }
    await #expect(throws: PagePackageError.notNewer(version: 1, installed: 1)) {
      try await store.install(PageStoreFixture.package(1))
    }
  }

  @Test("What another user may have put in place of a package is not read", arguments: PlantedFile.allCases)
  func plantedFile(planted: PlantedFile) async throws {
    // A second name of a file that is only read is harmless.
    guard planted != .hardLink else { return }
    try await fixture.store().install(PageStoreFixture.package(1))
    try planted.make(at: fixture.path, precious: fixture.folder.url.appending(path: "precious").path)
    let store = try fixture.store()
    #expect(store.version == nil)
    guard store.fault?.file != nil else {
      Issue.record("\(String(describing: store.fault))")
      return
    }
  }

  @Test("Another store of the folder installs only versions that are higher than those of the first one")
  func twoStores() async throws {
    let (first, second) = (try fixture.store(), try fixture.store())
    try await first.install(PageStoreFixture.package(3))
    await #expect(throws: PagePackageError.notNewer(version: 2, installed: 3)) {
      try await second.install(PageStoreFixture.package(2))
    }
    #expect(second.version == 3)
  }

  @Test("While a package is being installed, another install fails, and can be repeated")
  func locked() async throws {
    let store = try fixture.store()
    let descriptor = open(fixture.path + ".lock", O_RDWR | O_CREAT, 0o600)
    #expect(flock(descriptor, LOCK_EX) == 0)
    await #expect(throws: PagePackageError.self) { try await store.install(PageStoreFixture.package(1)) }
    #expect(store.version == nil)
    close(descriptor)
    try await store.install(PageStoreFixture.package(1))
    #expect(store.version == 1)
  }

  @Test("Sites and keys that are none, and a folder that doesn't exist, are faults")
  func arguments() async throws {
    for keys in [[], ["x"], [PageKeys.p256PublicKey], [PageKeys.publicKey, PageKeys.privateKey]] {
      #expect(throws: PagePackageError.unreadableKey) {
        try PagePackageStore(folder: fixture.folder.url.path, site: "a.example", trusting: keys)
      }
    }
    #expect(throws: PagePackageError.illegalSite("../a")) {
      try PagePackageStore(folder: fixture.folder.url.path, site: "../a", trusting: [PageKeys.publicKey])
    }
    let store = try PagePackageStore(
      folder: fixture.folder.url.path + "/none", site: PageStoreFixture.site, trusting: [PageKeys.publicKey])
    await #expect(throws: PagePackageError.self) { try await store.install(PageStoreFixture.package(1)) }
  }
}
