import Cryptography
import Testing

@testable import WebPages

@Suite struct PagePackageTests {
  @Test("Equal packages have equal bytes, in whatever order their files were added")
  func canonical() throws {
    var first = try PagePackage(site: "WWW.estate.example:443", version: 2)
    try first.add("b", type: "text/plain", [1])
    try first.add("a/c", type: "text/plain", [2])
    var second = try PagePackage(site: "www.estate.example", version: 2)
    try second.add("a/c", type: "text/plain", [2])
    try second.add("b", type: "text/plain", [1])
    #expect(
      try first.signed(withPrivateKeyPEM: PageKeys.privateKey)
        == second.signed(withPrivateKeyPEM: PageKeys.privateKey))
  }

  @Test("A manifest is read as it was written, and other bytes for it are refused")
  func manifest() throws {
    let package = try PageStoreFixture.package(3)
    let store = try PageStoreFixture()
    try store.write(package)
    let manifest = try #require(try store.store().package).archive.manifest
    #expect(
      manifest.version == 3 && manifest.entries.map(\.pathText).sorted() == manifest.entries.map(\.pathText))
    #expect(try PageManifest(manifest.bytes[...]) == manifest)
    let reversed = PageManifest(site: manifest.site, version: 3, entries: manifest.entries.reversed())
    #expect(throws: PagePackageError.self) { try PageManifest(reversed.bytes[...]) }
    #expect(throws: PagePackageError.self) { try PageManifest((manifest.bytes + [0])[...]) }
    for end in 0..<manifest.bytes.count {
      #expect(throws: PagePackageError.self, "\(end)") { try PageManifest(manifest.bytes[..<end]) }
    }
  }

  @Test(
    "A signed manifest with a path that a package can't have, or has twice, is refused",
    arguments: ["../a", "/a", "a/../b", "a//b", "a/", ".", "", "a\\b", "a\u{0}", "a\nb"])
  func signedPaths(path: String) throws {
    let entry = PageManifest.Entry(path: Array(path.utf8), type: "text/plain", size: 0, digests: [])
    let manifest = PageManifest(site: "a.example", version: 1, entries: [entry])
    #expect(throws: PagePackageError.illegalPath(path)) { try PageManifest(manifest.bytes[...]) }
    let twice = PageManifest.Entry(path: Array("a".utf8), type: "text/plain", size: 0, digests: [])
    #expect(throws: PagePackageError.duplicatePath("a")) {
      try PageManifest(PageManifest(site: "a.example", version: 1, entries: [twice, twice]).bytes[...])
    }
  }

  @Test(
    "A path that leaves the site's folder, or that is read in two ways, is not added",
    arguments: ["", "/a", "../a", "a/../b", "./a", "a//b", "a/", "a\\b", "a\u{0}b", "a\u{7F}", "..", "a\n"])
  func paths(path: String) throws {
    var package = try PagePackage(site: "a.example", version: 1)
    #expect(throws: PagePackageError.illegalPath(path)) { try package.add(path, type: "text/plain", []) }
  }

  @Test("Types, sites, versions and keys that are none are refused, and a file that is there already")
  func arguments() throws {
    var package = try PagePackage(site: "a.example", version: 1)
    for type in ["", "html", "text/", "text/html\r\nX: 1", "text/html;" + String(repeating: "a", count: 300)]
    {
      #expect(throws: PagePackageError.illegalType(type, path: "a")) { try package.add("a", type: type, []) }
    }
    try package.add("a", type: "text/plain", [])
    #expect(throws: PagePackageError.duplicatePath("a")) { try package.add("a", type: "text/plain", []) }
    for site in ["", "https://a.example", "*.example", "a.example/"] {
      #expect(throws: PagePackageError.illegalSite(site)) { try PagePackage(site: site, version: 1) }
    }
    for version in [0, -1, .min] {
      #expect(throws: PagePackageError.illegalVersion(version)) {
        try PagePackage(site: "a.example", version: version)
      }
    }
    for key in ["", "x", PageKeys.publicKey, PageKeys.p256PrivateKey] {
      #expect(throws: PagePackageError.unreadableKey) { try package.signed(withPrivateKeyPEM: key) }
    }
  }

  @Test("A package has at most 4,096 files and 64 MiB")
  func limits() throws {
    var package = try PagePackage(site: "a.example", version: 1)
    for number in 0..<PageManifest.maximumFiles { try package.add("\(number)", type: "text/plain", []) }
    #expect(throws: PagePackageError.tooManyFiles(limit: 4_096)) {
      try package.add("more", type: "text/plain", [])
    }
    var large = try PagePackage(site: "a.example", version: 1)
    let bytes = [UInt8](repeating: 0, count: PageArchive.maximumSize)
    #expect(throws: PagePackageError.tooLarge(limit: 64 << 20)) {
      try large.add("a", type: "text/plain", bytes + [0])
    }
    // Its manifest has to fit, too.
    try large.add("a", type: "text/plain", bytes)
    #expect(throws: PagePackageError.tooLarge(limit: 64 << 20)) {
      try large.signed(withPrivateKeyPEM: PageKeys.privateKey)
    }
  }

  @Test("A manifest with more than 4 MiB is refused as such, when it is made and when it is read")
  func manifestLimit() async throws {
    let tooLarge = PagePackageError.manifestTooLarge(limit: PageManifest.maximumSize)
    let name = String(repeating: "a", count: 1_020)
    var long = try PagePackage(site: PageStoreFixture.site, version: 1)
    for number in 1_000..<(1_000 + PageManifest.maximumFiles) {
      try long.add("\(number)" + name, type: "text/plain", [])
    }
    #expect(throws: tooLarge) { try long.signed(withPrivateKeyPEM: PageKeys.privateKey) }

    let fixture = try PageStoreFixture()
    let store = try fixture.store()
    for (size, following) in [
      (PageManifest.maximumSize + 1, PageManifest.maximumSize + 1), (PageManifest.maximumSize + 1, 100),
      (.max, 0),
    ] {
      var bytes = PageArchive.firstLine
      var fields = LengthPrefixed()
      fields.append([UInt8](repeating: 1, count: 64))
      fields.append(count: size)
      bytes += fields.bytes + [UInt8](repeating: 0, count: following)
      await #expect(throws: tooLarge) { try await store.install(bytes) }
      try fixture.write(bytes)
      #expect(try fixture.store().fault == tooLarge)
    }
  }

  @Test("No error text has control characters or a key")
  func texts() {
    for error in [
      .illegalPath("a\nb\u{1B}[0m"), .illegalType("x\r", path: "\u{0}"), .damaged(path: "\n"), .unreadableKey,
      .foreignSite("\n", expected: "a.example"),
    ] as [PagePackageError] {
      #expect(error.description.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(error)")
    }
  }
}
