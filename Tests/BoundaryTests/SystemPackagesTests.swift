import Foundation
import Testing

/// What Scripts/install-dependencies installs, compared with what the package needs.
@Suite struct SystemPackagesTests {
  @Test("G7: Every system library that the manifest names for apt is installed by the script")
  func libraries() throws {
    let manifest = try String(contentsOf: Checkout.folder.appending(path: "Package.swift"), encoding: .utf8)
    let script = try String(
      contentsOf: Checkout.folder.appending(path: "Scripts/install-dependencies"), encoding: .utf8)
    let installed = Set(script.matches(of: /'library\|([a-z0-9.+-]+)\|/).map { String($0.1) })
    let named = manifest.matches(of: /\.apt\(\["([^"]+)"\]\)/).map { String($0.1) }
    #expect(named.count >= 5)
    for library in named { #expect(installed.contains(library), "\(library) is not installed") }
    // SwiftPM finds the libraries by pkg-config.
    #expect(installed.contains("pkg-config"))
  }
}
