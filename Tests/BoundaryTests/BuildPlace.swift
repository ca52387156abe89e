import CommandRunning
import Foundation
import Synchronization

/// The folder of all nested builds: the fixture, a copy of the sample, and their scratch folder.
final class BuildPlace: Sendable {
  /// The folder that the running tests build in.
  @TaskLocal static var current: BuildPlace?

  private let temporary: TemporaryFolder
  let scratch: ScratchFolder
  let fixture: FixturePackage
  private let linkage = Mutex<Command.Outcome?>(nil)

  init() throws {
    temporary = try TemporaryFolder(prefix: "boundary")
    scratch = ScratchFolder(folder: Checkout.packagesScratch ?? temporary.url.appending(path: "scratch"))
    fixture = FixturePackage(folder: temporary.url.appending(path: "Fixture"), scratch: scratch)
  }

  /// Builds the programs of Tests/LinkageTest if they have not been built.
  func buildLinkageTest() async throws -> Command.Outcome {
    if let outcome = linkage.withLock({ $0 }) { return outcome }
    let outcome = try await scratch.swift(
      "build", package: Checkout.folder.appending(path: "Tests/LinkageTest"))
    linkage.withLock { $0 = outcome }
    return outcome
  }

  /// Returns a clean copy of the sample; unchanged files keep their date, so that they are not recompiled.
  func layOutSample() async throws -> URL {
    // The sample's dependencies enable a trait of swift-http-types that links Foundation, and an incremental
    // build keeps it linked, so LinkageTest is built first.
    _ = try await buildLinkageTest()
    let copy = temporary.url.appending(path: "Estate")
    try EstateSample.mirror(to: copy)
    return copy
  }

  /// Returns a new package with one business module.
  func makeShop() throws -> ShopPackage { try ShopPackage(scratch: scratch) }

  /// Returns the path of a built program.
  func program(_ name: String) -> String { scratch.folder.appending(path: "debug/\(name)").path }
}
