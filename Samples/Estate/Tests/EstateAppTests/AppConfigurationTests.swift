import EstateNetwork
import Foundation
import Testing

@testable import EstateApp

@Suite("The app's configuration")
struct AppConfigurationTests {
  @Test(
    "An invalid server URL is reported",
    arguments: ["", "http://localhost:1", "https://localhost", "x y"])
  func server(url: String) {
    #expect(throws: AppConfigurationFault.server(url)) { try AppConfiguration(server: url, state: ".") }
  }

  @Test("A missing or unreadable file is reported by name")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func fault() -> AppConfigurationFault? {
      do throws(AppConfigurationFault) {
        _ = try AppConfiguration(server: "https://localhost:1", state: folder.path)
        return nil
      } catch {
        return error
      }
    }
    let (authority, key) = (folder.appending(path: "ca.pem"), folder.appending(path: "demo-key.json"))
    #expect(fault() == .missing(authority.path))
    try Data("x".utf8).write(to: authority)
    #expect(fault() == .missing(key.path))
    for text in ["", "{}", #"{"keyID":"a","secret":"zz"}"#, #"{"keyID":"a","secret":"abc"}"#] {
      try Data(text.utf8).write(to: key)
      #expect(fault() == .key(key.path))
    }
    let secret = String(repeating: "0f", count: 32)
    try Data(#"{"keyID":"demo","secret":"\#(secret)"}"#.utf8).write(to: key)
    #expect(fault() == nil)
    func window() throws -> Duration {
      try AppConfiguration(server: "https://localhost:1", state: folder.path).keys.verifierWindow
    }
    #expect(try window() == .seconds(300))
    // The server names the window in which it accepts signatures.
    try Data(#"{"keyID":"demo","secret":"\#(secret)","window":60}"#.utf8).write(to: key)
    #expect(try window() == .seconds(60))
  }
}
