import Interception
import SwitchyardTesting
import Testing

@testable import WebPages

@Suite("Packages of deployment documents", .timeLimit(.minutes(5)))
struct DeployedPackageTests {
  private let fixture: PageStoreFixture

  init() throws { fixture = try PageStoreFixture() }

  @Test("The package of a document is served from memory, whatever its version is, until there is none")
  func deployed() async throws {
    let store = try fixture.store()
    try await store.install(PageStoreFixture.package(5))
    let pages = try PageHandler(
      scheme: "estate-page", sites: [PageStoreFixture.site], over: ScriptedDispatcher(failing: .noNetwork),
      packages: [store], time: TimeSource(TestClock()))
    func text() async throws -> String {
      try await pages.response(to: pageRequest(navigates: true)).text()
    }
    #expect(try await text() == "version 5" && store.version == 5)
    let before = try fixture.bytesOnDisk()
    store.deploy(try store.checked(PageStoreFixture.package(3)))
    #expect(try await text() == "version 3" && store.version == 3)
    store.deploy(try store.checked(PageStoreFixture.package(7)))
    #expect(try await text() == "version 7")
    // What is installed meanwhile is served when no document has a package.
    try await store.install(PageStoreFixture.package(6))
    #expect(try await text() == "version 7")
    store.deploy(nil)
    #expect(try await text() == "version 6" && store.version == 6)
    #expect(try fixture.bytesOnDisk() != before)
  }

  @Test("A package of a document that is torn, damaged or signed by another key is refused")
  func refusedDeployment() async throws {
    let store = try fixture.store()
    try await store.install(PageStoreFixture.package(1))
    let package = try PageStoreFixture.package(3)
    var damaged = package
    damaged[package.count - 10] ^= 1
    for bytes in [
      [], Array(package.dropLast()), damaged, try PageStoreFixture.package(3, key: PageKeys.otherPrivateKey),
      try PageStoreFixture.package(3, site: "other.example"),
    ] {
      #expect(throws: PagePackageError.self) { try store.checked(bytes) }
    }
    #expect(store.version == 1)
  }
}
