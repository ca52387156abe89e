#if os(Linux)
import CommandRunning
import Foundation
import Testing

@testable import WebPages

/// The installed package of a program that is killed.
@Suite(.timeLimit(.minutes(5)))
struct PageCrashTests {
  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "stored-file-crash").path

  /// Installs version 1, lets a program install higher ones that is killed, and returns the version that the
  /// next start serves, with its text.
  private func version(_ position: Int, _ fault: String) async throws -> (Int?, text: String?, status: Int32)
  {
    let fixture = try PageStoreFixture()
    let folder = fixture.folder.url
    try Data(PageKeys.privateKey.utf8).write(to: folder.appending(path: "private.pem"))
    try Data(PageKeys.publicKey.utf8).write(to: folder.appending(path: "public.pem"))
    var package = try PagePackage(site: PageStoreFixture.site, version: 1)
    try package.add("index.html", type: "text/html", Array("version 1".utf8))
    try await fixture.store().install(package.signed(withPrivateKeyPEM: PageKeys.privateKey))
    let outcome = try await Command(Self.program, "pages", folder.path, "\(position)", fault).run()
    let store = try fixture.store()
    #expect(store.fault == nil)
    guard let open = store.package, let file = open.archive.file(at: Array("index.html".utf8)) else {
      return (nil, nil, outcome.status)
    }
    let text = String(decoding: try open.block(0, of: file), as: UTF8.self)
    try await checkReplay(package.signed(withPrivateKeyPEM: PageKeys.privateKey), open.version, fixture)
    return (open.version, text, outcome.status)
  }

  /// Checks that version 1 is neither served nor installed after a higher one was served.
  private func checkReplay(_ first: [UInt8], _ version: Int, _ fixture: PageStoreFixture) async throws {
    guard version > 1 else { return }
    try fixture.write(first)
    let store = try fixture.store()
    #expect(store.version == nil && store.fault == .notNewer(version: 1, installed: version))
    try FileManager.default.removeItem(atPath: fixture.path)
    await #expect(throws: PagePackageError.notNewer(version: 1, installed: version)) {
      try await fixture.store().install(first)
    }
  }

  @Test(
    "SIGKILL before and within each change of a file leaves the old or the new version, which then stays")
  func everyChange() async throws {
    var position = 1
    while true {
      let (version, text, status) = try await version(position, "before")
      #expect(version == 2 || version == 1 && status != 0)
      #expect(text == version.map { "version \($0)" })
      guard status != 0 else { break }
      #expect(status == SIGKILL)
      let within = try await self.version(position, "within")
      #expect(within.status == SIGKILL)
      #expect(within.0 == 1 || within.0 == 2)
      #expect(within.text == within.0.map { "version \($0)" })
      position += 1
    }
    // The package and the record of its version are each written beside the old one, after the rest of an
    // earlier attempt was removed, and synchronized; then they are renamed, and their folder is synchronized.
    #expect(position > 8)
  }

  @Test("SIGKILL at random moments of repeated installs leaves one whole version")
  func randomMoments() async throws {
    for _ in 1...20 {
      let (version, text, status) = try await version(.random(in: 0...8_000), "after")
      #expect(status == SIGKILL)
      #expect(try #require(version) > 1)
      #expect(text == version.map { "version \($0)" })
    }
  }
}
#endif
